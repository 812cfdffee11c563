import type { Problem } from '../../model/failure.js';

export const indexNotFound = (target: string, url: string): Problem => ({
  code: 'TARGET_NOT_UNDERSTOOD',
  class: 'config',
  message: `${target} at ${url} does not answer like a Python index`,
  next: 'Check `kind` and `address` of this target in the profile. Where files are read on another host than they are uploaded to, write `reads:` with the address of the simple index.',
});

/** @param user null: no login */
export const uploadNotAllowed = (
  target: string,
  index: string,
  user: string | null,
  allowed: readonly string[],
): Problem => ({
  code: 'UPLOAD_NOT_ALLOWED',
  class: 'denied',
  message: `${target}: ${index} takes uploads from ${allowed.length === 0 ? 'no user' : allowed.join(', ')}, and not from ${user ?? 'a client without a login'}`,
  next: `Nothing was uploaded. Let the owner of the index add the user (\`devpi index ${new URL(index).pathname.slice(1)} acl_upload=…\`), or name another user in the profile; then \`slipway retry\`.`,
});

export const fileRefused = (target: string, evidence: readonly string[]): Problem => ({
  code: 'UPLOAD_FILE_REFUSED',
  class: 'config',
  message: `${target}: twine refuses a file itself, before it sends anything`,
  next: 'Correct what the lines below name in the project, and release it again.',
  evidence,
});
