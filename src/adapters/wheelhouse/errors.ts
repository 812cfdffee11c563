import { problem } from '../../model/problem.js';

export const houseAbsent = problem.config((folder: string, why: string) => [
  'WHEELHOUSE_UNREADABLE',
  `the folder ${JSON.stringify(folder.slice(0, 300))} cannot be read: ${why}`,
  'Correct `--folder`, or let your user read the folder and those below it.',
]);
export const houseTooLarge = problem.config((folder: string, most: number) => [
  'WHEELHOUSE_TOO_LARGE',
  `the folder ${JSON.stringify(folder.slice(0, 300))} has more than ${most} files`,
  'Name folders below it, one at a time.',
]);
