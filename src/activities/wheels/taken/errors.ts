import type { Problem } from '../../../model/failure.js';

/** Ray's number for a wheel that is not there in time. */
const RAY_EXIT = 30;

/** @param asked what was seen: `asked 241 times since 2026-11-22T01:10:00Z` */
export const wheelNotThere = (url: string, why: string, asked: string): Problem => ({
  code: 'WHEEL_NOT_THERE',
  class: 'infra',
  message: `${url} ${why}; ${asked}`,
  next: 'See whether the pipeline that builds the wheel is late or failed; once it is there, `slipway retry STEP` asks again. `from.wait` says how long to ask.',
  details: { ray: RAY_EXIT },
});

export const wheelCommitDiffers = (file: string, inside: string, found: string, wanted: string): Problem => ({
  code: 'WHEEL_COMMIT_DIFFERS',
  class: 'config',
  message: `${file}: ${inside} says ${found}, and the wheel was looked for at ${wanted}`,
  next: 'Something wrote the wheel of another commit to that address. Let its pipeline build the commit again, or take another commit.',
  details: { found, wanted },
});

export const wheelCommitAbsent = (file: string, inside: string, why: string): Problem => ({
  code: 'WHEEL_COMMIT_ABSENT',
  class: 'config',
  message: `${file}: ${inside} ${why}`,
  next: 'Correct `commit.file` or `commit.match` of the wheel, or take `commit` away: the commit is then not compared.',
});

export const wheelOfOther = (file: string, why: string, next: string): Problem => ({
  code: 'WHEEL_OF_OTHER',
  class: 'config',
  message: `${file} ${why}`,
  next,
});
