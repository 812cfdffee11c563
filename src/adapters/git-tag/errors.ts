import type { Problem } from '../../model/failure.js';

export const commitNotThere = (target: string, address: string, commit: string): Problem => ({
  code: 'COMMIT_NOT_THERE',
  class: 'config',
  message: `${target}: ${address} has no commit ${commit.slice(0, 12)} that a tag could point at`,
  next: 'A release pushes only a tag, never code. Push the commit there first, then release from it.',
});

export const tagElsewhere = (target: string, tag: string, seen: string, ours: string): Problem => ({
  code: 'TAG_ELSEWHERE',
  class: 'config',
  message: `${target} already has the tag ${tag} at ${seen.slice(0, 12)}; this release is ${ours.slice(0, 12)}`,
  next: 'A tag is never moved. Raise `release.version`, or release the commit that is tagged.',
});

export const gitAddressRelative = (target: string, address: string): Problem => ({
  code: 'GIT_ADDRESS_RELATIVE',
  class: 'config',
  message: `${target}: ${JSON.stringify(address)} is neither an absolute path nor an address that git takes`,
  next: 'Write /…/name.git, https://…, ssh://… or host:path into the profile.',
});
