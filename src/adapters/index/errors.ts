import type { Problem } from '../../model/failure.js';

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
