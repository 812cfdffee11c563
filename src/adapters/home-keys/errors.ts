import type { FailureClass, Problem } from '../../model/failure.js';
import type { Role } from '../../model/proof.js';

export const keyTooOpen = (path: string, mode: number): Problem => ({
  code: 'HOME_KEY_TOO_OPEN',
  class: 'config',
  message: `other users may read or replace the key ${path}: its mode is ${(mode & 0o777).toString(8)}`,
  next: `Type \`chmod 600 ${path}\`. If another user may have read it: \`slipway down\`, remove the folder's keys, then \`slipway up\` makes new ones.`,
});

export const keyNotOurs = (path: string): Problem => ({
  code: 'HOME_KEY_NOT_OURS',
  class: 'config',
  message: `the key ${path} belongs to another user`,
  next: "Copy the keys into a folder of this user's own and name it in SLIPWAY_KEYS.",
});

export const keysNotWritable = (path: string, why: string): Problem => ({
  code: 'HOME_KEYS_NOT_WRITABLE',
  class: 'config',
  message: `the key ${path} is missing and cannot be made: ${why}`,
  next: 'Make the folder that SLIPWAY_KEYS names writable for this user, or copy the key into it; then `slipway up`.',
});

export const homeNotOurs = (path: string, owner: number, home: string): Problem => ({
  code: 'HOME_NOT_OURS',
  class: 'config',
  message: `${path} belongs to user ${owner}, and the home ${home} is used by user ${process.getuid?.()}`,
  next: `Name a home of this user in SLIPWAY_HOME, or type the command as user ${owner}. If the home is yours and user ${owner} laid that file into it, remove the file.`,
});

export const keyUnreadable = (path: string): Problem => ({
  code: 'HOME_KEY_UNREADABLE',
  class: 'config',
  message: `${path} is not the key that its name says: Ed25519 in PEM for control, 32 bytes in hex for worker`,
  next: 'Copy it again from the home that made it; or type `slipway down`, remove the keys of the folder, and type `slipway up`: it makes new ones.',
});

export const recordNotProved = (name: string, role: Role, step: string | null, worker: string | null): Problem => ({
  code: 'RECORD_NOT_PROVED',
  class: 'denied',
  message: `the record ${name} carries no proof by this home's ${role} key${worker === null ? '' : `; it names ${JSON.stringify(worker)} as its worker`}`,
  next: `A program without the key or a home with other keys wrote it. Type \`slipway workers\` to find strangers, then \`slipway retry --from ${step ?? 'STEP'}\`: it is made again.`,
});

export const recordOfNoFamily = (name: string): Problem => ({
  code: 'RECORD_OF_NO_FAMILY',
  class: 'bug',
  message: `the record ${name} belongs to no family of records, so nothing says which key signs it`,
  next: 'Add its family to the records in kinds.ts of the feature that writes it. If no feature does, report this.',
});

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
