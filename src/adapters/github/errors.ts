import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const tokenRefused = problem.denied((report: string, url: string, status: number) => [
  'GITHUB_DENIED',
  `${report}: GitHub refused the token (HTTP ${status}) at ${url}`,
  'Give the token of `reports` read and write access to issues of the repository, or renew it; then `slipway retry STEP`.',
]);

export const limited = (report: string, url: string, seconds: number): Problem => ({
  code: 'GITHUB_LIMITED',
  class: 'infra',
  service: targetService(report),
  message: `${report}: GitHub accepts no request for ${seconds} s, asked at ${url}`,
  next: 'The step tries again by itself. If that happens often, use a token of its own for these reports.',
  details: { seconds },
});

export const repositoryAbsent = problem.config((report: string, repository: string) => [
  'GITHUB_REPOSITORY_ABSENT',
  `${report}: GitHub shows no repository ${repository} to this token`,
  'Correct `repository` of this report, or give the token access to it.',
]);
export const repositoryMoved = problem.config((report: string, repository: string, to: string) => [
  'GITHUB_REPOSITORY_MOVED',
  `${report}: the repository ${repository} has moved to ${to}`,
  'Write its new name as `repository` of this report.',
]);
export const issuesDisabled = problem.config((report: string, repository: string) => [
  'GITHUB_ISSUES_DISABLED',
  `${report}: the repository ${repository} takes no issues (HTTP 410)`,
  'Enable issues in the settings of the repository, or correct `repository` of this report.',
]);
export const requestRefused = problem.config((report: string, what: string, evidence: readonly string[]) => [
  'GITHUB_REFUSED',
  `${report}: GitHub refused ${what}`,
  'Correct what the lines below name: they are its own words.',
  { evidence },
]);
export const notUnderstood = problem.config((report: string, url: string) => [
  'GITHUB_NOT_UNDERSTOOD',
  `${report}: ${url} does not answer like the API of GitHub`,
  'Check `reports` in the profile: the address of an own server ends in /api/v3.',
]);
