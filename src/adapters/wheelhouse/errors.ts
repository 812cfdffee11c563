import type { Problem } from '../../model/failure.js';

export const houseAbsent = (folder: string, why: string): Problem => ({
  code: 'WHEELHOUSE_UNREADABLE',
  class: 'config',
  message: `the folder ${JSON.stringify(folder.slice(0, 300))} cannot be read: ${why}`,
  next: 'Correct `--folder`, or let your user read the folder and those below it.',
});

export const houseTooLarge = (folder: string, most: number): Problem => ({
  code: 'WHEELHOUSE_TOO_LARGE',
  class: 'config',
  message: `the folder ${JSON.stringify(folder.slice(0, 300))} has more than ${most} files`,
  next: 'Name folders below it, one at a time.',
});
