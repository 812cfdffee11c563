import { problem } from '../../../model/problem.js';

/** Ray's number for a wheel that is not there in time. */
const RAY_EXIT = 30;

/** @param asked what was seen: `asked 241 times since 2026-11-22T01:10:00Z` */
export const wheelNotThere = problem.infra((url: string, why: string, asked: string) => [
  'WHEEL_NOT_THERE',
  `${url} ${why}; ${asked}`,
  'See whether the pipeline that builds the wheel is late or failed; once it is there, `slipway retry STEP` asks again. `from.wait` says how long to ask.',
  { details: { ray: RAY_EXIT } },
]);
export const wheelCommitDiffers = problem.config((file: string, inside: string, found: string, wanted: string) => [
  'WHEEL_COMMIT_DIFFERS',
  `${file}: ${inside} says ${found}, and the wheel was looked for at ${wanted}`,
  'Something wrote the wheel of another commit to that address. Let its pipeline build the commit again, or take another commit.',
  { details: { found, wanted } },
]);
export const wheelCommitAbsent = problem.config((file: string, inside: string, why: string) => [
  'WHEEL_COMMIT_ABSENT',
  `${file}: ${inside} ${why}`,
  'Correct `commit.file` or `commit.match` of the wheel, or take `commit` away: the commit is then not compared.',
]);
export const wheelOfOther = problem.config((file: string, why: string, next: string) => [
  'WHEEL_OF_OTHER',
  `${file} ${why}`,
  next,
]);
