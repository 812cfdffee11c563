import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';
import { secretName } from '../../model/secret.js';

export const indexDenied = problem.denied((target: string, path: string, why: string) => [
  'INDEX_DENIED',
  `${target}: the index cannot be written at ${path}: ${why}`,
  'Make the folder writable for the user of the control worker (its owner, its mode, or the mount), then `slipway retry`.',
]);

export const indexFull = (target: string, path: string): Problem => ({
  code: 'INDEX_FULL',
  class: 'infra',
  service: targetService(target),
  message: `${target}: the disk of the index is full at ${path}`,
  next: 'Free space on that disk. The step tries again by itself; wheels that are listed stay listed.',
});

export const indexBroken = (target: string, path: string, why: string): Problem => ({
  code: 'INDEX_BROKEN',
  class: 'infra',
  service: targetService(target),
  message: `${target}: the index cannot be used at ${path}: ${why}`,
  next: 'Check `address` of this target in the profile: it is a folder or s3://bucket/prefix. The step tries again by itself.',
});

export const indexNotAFile = problem.config((target: string, path: string) => [
  'INDEX_NOT_A_FILE',
  `${target}: ${path} is a link, a folder or a device, and the index has a file there`,
  'Find who put it there and remove it, then `slipway retry`.',
]);
export const indexNotServed = problem.config((target: string, address: string, folder: string, why: string) => [
  'INDEX_NOT_SERVED',
  `${target}: ${address} does not serve ${folder}: ${why}`,
  'Write the address of a web server that serves this folder as `reads` of the target in the profile.',
]);
export const wheelUnnamed = problem.product((target: string, file: string) => [
  'INDEX_NAME_REFUSED',
  `${target} cannot list ${JSON.stringify(file)}: it is no name of a wheel`,
  'Let the build backend name the wheel: NAME-VERSION-PYTHON-ABI-PLATFORM.whl.',
]);
export const wheelOfOther = problem.product((target: string, file: string, project: string) => [
  'INDEX_NAME_OF_OTHER',
  `${target} cannot list ${JSON.stringify(file)}: it is built as ${project}, and its name is another project's`,
  `Correct \`name\` in the source of ${project}. A wheel under another name would be installed in place of that project's.`,
]);

const SET_IT =
  'Set it where the command is typed. A control worker has the environment of `slipway up`: set it there, then `slipway down` and `slipway up`.';

export const credentialAbsent = problem.config((target: string, key: string, reference: string) => [
  'INDEX_CREDENTIAL_ABSENT',
  `${target}: the profile names ${reference} as ${key}, and this environment has no such variable, so the index cannot be read`,
  SET_IT,
]);
export const credentialNoVariable = problem.config((target: string, key: string, reference: string) => [
  'INDEX_CREDENTIAL_NO_VARIABLE',
  `${target}: the profile names ${secretName(reference)} as ${key}; planning and \`slipway cache\` read no file and run no command for a credential of an index`,
  `Name a variable as ${key} in the profile, $NAME. ${SET_IT}`,
]);
export const credentialHalf = problem.config((target: string, key: string) => [
  'INDEX_CREDENTIAL_HALF',
  `${target}: the profile has a ${key} alone; a bucket needs \`username\` (the key id) and \`password\` (the secret key)`,
  'Write both into the profile, or neither: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, are then used.',
]);
