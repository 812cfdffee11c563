import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const tokenRefused = (report: string, url: string, status: number): Problem => ({
  code: 'GITHUB_DENIED',
  class: 'denied',
  message: `${report}: GitHub refused the token (HTTP ${status}) at ${url}`,
  next: 'Give the token of `reports` read and write access to issues of the repository, or renew it; then `slipway retry STEP`.',
});

export const limited = (report: string, url: string, seconds: number): Problem => ({
  code: 'GITHUB_LIMITED',
  class: 'infra',
  service: targetService(report),
  message: `${report}: GitHub accepts no request for ${seconds} s, asked at ${url}`,
  next: 'The step tries again by itself. If that happens often, use a token of its own for these reports.',
  details: { seconds },
});

export const repositoryAbsent = (report: string, repository: string): Problem => ({
  code: 'GITHUB_REPOSITORY_ABSENT',
  class: 'config',
  message: `${report}: GitHub shows no repository ${repository} to this token`,
  next: 'Correct `repository` of this report, or give the token access to it.',
});

export const repositoryMoved = (report: string, repository: string, to: string): Problem => ({
  code: 'GITHUB_REPOSITORY_MOVED',
  class: 'config',
  message: `${report}: the repository ${repository} has moved to ${to}`,
  next: 'Write its new name as `repository` of this report.',
});

export const issuesDisabled = (report: string, repository: string): Problem => ({
  code: 'GITHUB_ISSUES_DISABLED',
  class: 'config',
  message: `${report}: the repository ${repository} takes no issues (HTTP 410)`,
  next: 'Enable issues in the settings of the repository, or correct `repository` of this report.',
});

export const requestRefused = (report: string, what: string, evidence: readonly string[]): Problem => ({
  code: 'GITHUB_REFUSED',
  class: 'config',
  message: `${report}: GitHub refused ${what}`,
  next: 'Correct what the lines below name: they are its own words.',
  evidence,
});

export const notUnderstood = (report: string, url: string): Problem => ({
  code: 'GITHUB_NOT_UNDERSTOOD',
  class: 'config',
  message: `${report}: ${url} does not answer like the API of GitHub`,
  next: 'Check `reports` in the profile: the address of an own server ends in /api/v3.',
});
