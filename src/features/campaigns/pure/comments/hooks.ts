import type { Problem } from '../../../../model/failure.js';
import type { Plan } from '../../../../model/plan.js';
import { problem } from '../../../../model/problem.js';
import { type Hooks, PERMISSIONS } from '../../schemas/hooks.js';

/** What GitHub answers about a user: admin, write, read or none, and a role whose name the organisation may have made. */
export interface Permission {
  readonly permission: string;
  readonly role: string;
}

/** Whether a person may start runs. The permission does not count where `allow` is a list. */
export function mayStart({ allow }: Hooks, login: string, permission: Permission | null): boolean {
  if (Array.isArray(allow)) return allow.some((one) => one.toLowerCase() === login.toLowerCase());
  const held = [permission?.role, permission?.permission, 'none'].find((one) => ROLES.includes(one!))!;
  return ROLES.indexOf(held) <= ROLES.indexOf(allow.permission);
}
/** Whether all who may edit a description may start runs: permission write edits all. GitHub's API does not name who edited it. */
export const mayAllEditors = ({ allow }: Hooks): boolean =>
  !Array.isArray(allow) && PERMISSIONS.indexOf(allow.permission) >= PERMISSIONS.indexOf('write');

const ROLES: readonly string[] = [...PERMISSIONS, 'read', 'none'];

/** Address from which git fetches commits of pull requests. */
export const gitAddressOf = ({ git, address, repository }: Hooks): string =>
  git ??
  `${address.replace(/\/\/api\.github\.com\/?$/, '//github.com').replace(/\/(api\/v3\/?)?$/, '')}/${repository}.git`;

const jobReleases = problem.config((job: string, profile: string) => [
  'HOOK_JOB_RELEASES',
  `the job ${job} is a release with the profile ${profile}, and comments start pipelines and rehearsals alone`,
  `Name a pipeline as jobs.${job}.file of hooks.yaml, or a profile with \`rehearsal: true\`.`,
]);

/** Returns why a comment may not start a plan. Null: it may, since it is a pipeline or a rehearsal. */
export const notForComments = (
  { pipeline, profile }: Pick<Plan, 'profile'> & { readonly pipeline?: unknown },
  job: string,
): Problem | null => (pipeline !== undefined || profile.rehearsal ? null : jobReleases(job, profile.name));
