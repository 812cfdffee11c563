import { problem } from '../../model/problem.js';
import { classify, errnoOf } from '../../model/classify.js';
import { fail, type Problem, type SlipwayFailure } from '../../model/failure.js';

/** @param place of the altered bytes: in quarantine, or the original path if the move failed */
export const storeAltered = problem.infra((digest: string, place: string) => [
  'STORE_ALTERED',
  `the store's object ${digest} no longer has the bytes of its digest`,
  `The altered bytes are not used. They are kept for inspection: ${place}. Start the release again: the step that made the object runs again.`,
]);
export const storeMissing = problem.infra((digest: string) => [
  'STORE_MISSING',
  `the store has no object ${digest}`,
  'Point SLIPWAY_HOME at the store that the run began with, or start the release again: the step that made it then runs again.',
]);
export const recordNameRefused = problem.bug((name: string) => [
  'RECORD_NAME_REFUSED',
  `${JSON.stringify(name)} is not a record's name`,
  'A name is parts joined by "/": none empty, none "." or "..", none over 200 bytes. Please report this with the command that you ran.',
]);
export const layoutNameRefused = problem.config((path: string) => [
  'LAYOUT_NAME_REFUSED',
  `${JSON.stringify(path)} cannot be a file's path in the layout`,
  'Rename the branch or the file: no part of their names may be empty, "." or "..", hold a backslash or a control character, or be over 200 bytes.',
]);
export const recordDamaged = problem.infra((name: string, path: string) => [
  'RECORD_DAMAGED',
  `the record ${name} is not JSON`,
  `Look at ${path}. If its content is lost, remove it: Slipway then records the content again.`,
]);
export const recordTooLong = problem.denied((name: string, path: string, mostBytes: number) => [
  'RECORD_TOO_LONG',
  `the record ${name} has more than ${mostBytes / 2 ** 20} MiB: Slipway never writes one so long`,
  `Find the program that wrote ${path}, remove the file, then \`slipway retry\`: Slipway then records the content again.`,
]);
export const diskFull = problem.infra((path: string) => [
  'DISK_FULL',
  `the disk that holds ${path} is full`,
  'Free space on that disk; `slipway doctor` shows each disk. A step tries again for a while: once it is held, type `slipway retry --all-failed`. Otherwise type the same command again.',
]);
export const storeRefused = problem.infra((path: string, why: string) => [
  'STORE_REFUSED',
  `the store cannot be written at ${path}: ${why}`,
  'Make the folder writable for the user that runs Slipway, or move it with SLIPWAY_HOME.',
]);

/** Returns a failure for a known file system error; other errors unchanged. */
export function asStoreFailure(error: unknown, path: string): unknown {
  const code = errnoOf(error);
  const because = (problem: Problem): SlipwayFailure => fail(problem, error);
  switch (classify({ of: 'store', errno: code ?? '' }).sign) {
    case 'disk full':
      return because(diskFull(path));
    case 'not writable':
      return because(storeRefused(path, code!));
    default:
      return error;
  }
}
