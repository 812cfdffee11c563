import { classify, errnoOf } from '../../model/classify.js';
import { fail, type Problem, type SlipwayFailure } from '../../model/failure.js';

/** @param place of the altered bytes: in quarantine, or the original path if the move failed */
export const storeAltered = (digest: string, place: string): Problem => ({
  code: 'STORE_ALTERED',
  class: 'infra',
  message: `the store's object ${digest} no longer has the bytes of its digest`,
  next: `The altered bytes are not used. They are kept for inspection: ${place}. Start the release again: the step that made the object runs again.`,
});

export const storeMissing = (digest: string): Problem => ({
  code: 'STORE_MISSING',
  class: 'infra',
  message: `the store has no object ${digest}`,
  next: 'Point SLIPWAY_HOME at the store that the run began with, or start the release again: the step that made it then runs again.',
});

export const recordNameRefused = (name: string): Problem => ({
  code: 'RECORD_NAME_REFUSED',
  class: 'bug',
  message: `${JSON.stringify(name)} is not a record's name`,
  next: 'A name is parts joined by "/": none empty, none "." or "..", none over 200 bytes. Please report this with the command that you ran.',
});

export const layoutNameRefused = (path: string): Problem => ({
  code: 'LAYOUT_NAME_REFUSED',
  class: 'config',
  message: `${JSON.stringify(path)} cannot be a file's path in the layout`,
  next: 'Rename the branch or the file: no part of their names may be empty, "." or "..", hold a backslash or a control character, or be over 200 bytes.',
});

export const recordDamaged = (name: string, path: string): Problem => ({
  code: 'RECORD_DAMAGED',
  class: 'infra',
  message: `the record ${name} is not JSON`,
  next: `Look at ${path}. If its content is lost, remove it: Slipway then records the content again.`,
});

export const recordTooLong = (name: string, path: string, mostBytes: number): Problem => ({
  code: 'RECORD_TOO_LONG',
  class: 'denied',
  message: `the record ${name} has more than ${mostBytes / 2 ** 20} MiB: Slipway never writes one so long`,
  next: `Find the program that wrote ${path}, remove the file, then \`slipway retry\`: Slipway then records the content again.`,
});

export const diskFull = (path: string): Problem => ({
  code: 'DISK_FULL',
  class: 'infra',
  message: `the disk that holds ${path} is full`,
  next: 'Free space on that disk, or move the state to another one (`SLIPWAY_HOME`). A step retries for a while; afterwards type the same command again: finished work is kept.',
});

export const storeRefused = (path: string, why: string): Problem => ({
  code: 'STORE_REFUSED',
  class: 'infra',
  message: `the store cannot be written at ${path}: ${why}`,
  next: 'Make the folder writable for the user that runs Slipway, or move it with SLIPWAY_HOME.',
});

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
