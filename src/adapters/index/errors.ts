import { problem } from '../../model/problem.js';

export const indexNotFound = problem.config((target: string, url: string) => [
  'TARGET_NOT_UNDERSTOOD',
  `${target} at ${url} does not answer like a Python index`,
  'Check `kind` and `address` of this target in the profile. Where files are read on another host than they are uploaded to, write `reads:` with the address of the simple index.',
]);
/** @param user null: no login */
export const uploadNotAllowed = problem.denied(
  (target: string, index: string, user: string | null, allowed: readonly string[]) => [
    'UPLOAD_NOT_ALLOWED',
    `${target}: ${index} takes uploads from ${allowed.length === 0 ? 'no user' : allowed.join(', ')}, and not from ${user ?? 'a client without a login'}`,
    `Nothing was uploaded. Let the owner of the index add the user (\`devpi index ${new URL(index).pathname.slice(1)} acl_upload=…\`), or name another user in the profile; then \`slipway retry\`.`,
  ],
);
export const fileRefused = problem.config((target: string, evidence: readonly string[]) => [
  'UPLOAD_FILE_REFUSED',
  `${target}: twine refuses a file itself, before it sends anything`,
  'Correct what the lines below name in the project, and release it again.',
  { evidence },
]);
