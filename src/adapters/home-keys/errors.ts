import { problem } from '../../model/problem.js';
import type { FailureClass, Problem } from '../../model/failure.js';
import type { Role } from '../../model/proof.js';

export const keyTooOpen = problem.config((path: string, mode: number) => [
  'HOME_KEY_TOO_OPEN',
  `other users may read or replace the key ${path}: its mode is ${(mode & 0o777).toString(8)}`,
  `Type \`chmod 600 ${path}\`. If another user may have read it: \`slipway down\`, remove the folder's keys, then \`slipway up\` makes new ones.`,
]);
export const keyNotOurs = problem.config((path: string) => [
  'HOME_KEY_NOT_OURS',
  `the key ${path} belongs to another user`,
  "Copy the keys into a folder of this user's own and name it in SLIPWAY_KEYS.",
]);
export const keysNotWritable = problem.config((path: string, why: string) => [
  'HOME_KEYS_NOT_WRITABLE',
  `the key ${path} is missing and cannot be made: ${why}`,
  'Make the folder that SLIPWAY_KEYS names writable for this user, or copy the key into it; then `slipway up`.',
]);
export const homeNotOurs = problem.config((path: string, owner: number, home: string) => [
  'HOME_NOT_OURS',
  `${path} belongs to user ${owner}, and the home ${home} is used by user ${process.getuid?.()}`,
  `Name a home of this user in SLIPWAY_HOME, or type the command as user ${owner}. If the home is yours and user ${owner} laid that file into it, remove the file.`,
]);
export const keyUnreadable = problem.config((path: string) => [
  'HOME_KEY_UNREADABLE',
  `${path} is not the key that its name says: Ed25519 in PEM for control, 32 bytes in hex for worker`,
  'Copy it again from the home that made it; or type `slipway down`, remove the keys of the folder, and type `slipway up`: it makes new ones.',
]);
export const recordNotProved = problem.denied(
  (name: string, role: Role, step: string | null, worker: string | null) => [
    'RECORD_NOT_PROVED',
    `the record ${name} carries no proof by this home's ${role} key${worker === null ? '' : `; it names ${JSON.stringify(worker)} as its worker`}`,
    `A program without the key or a home with other keys wrote it. Type \`slipway workers\` to find strangers, then \`slipway retry --from ${step ?? 'STEP'}\`: it is made again.`,
  ],
);
export const recordOfNoFamily = problem.bug((name: string) => [
  'RECORD_OF_NO_FAMILY',
  `the record ${name} belongs to no family of records, so nothing says which key signs it`,
  'Add its family to the records in kinds.ts of the feature that writes it. If no feature does, report this.',
]);

export const resultMalformed = (
  name: string,
  fault: string,
  worker: string | null,
  kind: FailureClass = 'denied',
): Problem => ({
  code: 'RESULT_MALFORMED',
  class: kind,
  message: `the record ${name}${worker === null ? '' : ` of the worker ${JSON.stringify(worker)}`} is no result of a step: ${fault}`,
  next: 'Nothing of it is used. Rename the file if the project makes such a name; else end that worker, then `slipway retry --from STEP`.',
});
