import { problem } from '../../model/problem.js';

export const commitNotThere = problem.config((target: string, address: string, commit: string) => [
  'COMMIT_NOT_THERE',
  `${target}: ${address} has no commit ${commit.slice(0, 12)} that a tag could point at`,
  'A release pushes only a tag, never code. Push the commit there first, then release from it.',
]);
export const tagElsewhere = problem.config((target: string, tag: string, seen: string, ours: string) => [
  'TAG_ELSEWHERE',
  `${target} already has the tag ${tag} at ${seen.slice(0, 12)}; this release is ${ours.slice(0, 12)}`,
  'A tag is never moved. Raise `release.version`, or release the commit that is tagged.',
]);
export const gitAddressRelative = problem.config((target: string, address: string) => [
  'GIT_ADDRESS_RELATIVE',
  `${target}: ${JSON.stringify(address)} is neither an absolute path nor an address that git takes`,
  'Write /…/name.git, https://…, ssh://… or host:path into the profile.',
]);
