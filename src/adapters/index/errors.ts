import type { Problem } from '../../model/failure.js';

export const indexNotFound = (target: string, url: string): Problem => ({
  code: 'TARGET_NOT_UNDERSTOOD',
  class: 'config',
  message: `${target} at ${url} does not answer like a Python index`,
  next: 'Check `kind` and `address` of this target in the profile. Where files are read on another host than they are uploaded to, write `reads:` with the address of the simple index.',
});

/** @param user null: nobody logs in */
export const uploadNotAllowed = (
  target: string,
  index: string,
  user: string | null,
  allowed: readonly string[],
): Problem => ({
  code: 'UPLOAD_NOT_ALLOWED',
  class: 'denied',
  message: `${target}: ${index} takes uploads of ${allowed.length === 0 ? 'nobody' : allowed.join(', ')}, and not of ${user ?? 'anybody without a login'}`,
  next: `Nothing was uploaded. Whoever owns the index adds the user (\`devpi index ${new URL(index).pathname.slice(1)} acl_upload=…\`), or the profile names another one; then \`slipway retry\`.`,
});
