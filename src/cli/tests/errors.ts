import type { Problem } from '../../model/failure.js';
import type { Chain } from '../../model/run-folder.js';
import { STANDING_NAMES } from '../../model/tests/standing.js';

export const noStandingsSection = (file: string): Problem => ({
  code: 'NO_STANDINGS',
  class: 'config',
  message: `${file} has no "standings": nothing is known of its tests beyond one run`,
  next: 'Add `standings: { branch: main }` with the branch whose runs count, and run it.',
});

export const noNights = ({ pipeline, branch, profile }: Chain): Problem => ({
  code: 'NO_NIGHTS',
  class: 'config',
  message: `no run of ${pipeline} on branch ${branch} with profile ${profile} has ended yet`,
  next: 'Type `slipway run FILE` on that branch; `--profile` names another profile.',
});

export const notAStanding = (said: string): Problem => ({
  code: 'NOT_A_STANDING',
  class: 'config',
  message: `"${said}" is no standing`,
  next: `Write \`--standing\` with one of ${STANDING_NAMES.map((name) => `"${name}"`).join(', ')}.`,
});

export const unknownTest = (asked: string, hint: string): Problem => ({
  code: 'UNKNOWN_TEST',
  class: 'config',
  message: `no test is called "${asked}"${hint}`,
  next: 'Type `slipway tests --json` for all names. A name is exact: a part of it is none.',
});

export const manyTests = (asked: string, tests: readonly string[]): Problem => ({
  code: 'MANY_TESTS',
  class: 'config',
  message: `"${asked}" has ${tests.length} variants: ${tests.slice(0, 10).join(', ')}${tests.length > 10 ? ', …' : ''}`,
  next: 'Name one of them.',
});

export const ownerMissing = (): Problem => ({
  code: 'OWNER_MISSING',
  class: 'config',
  message: 'a jail needs an owner: the person or team that fixes the test',
  next: 'Add `--owner`.',
});

export const notADate = (option: string, said: string): Problem => ({
  code: 'NOT_A_DATE',
  class: 'config',
  message: `${option}: ${said}`,
  next: 'Write `--until` with a day in UTC (2026-12-06), or `--for` with a duration of at most 24 days (14d).',
});

export const jailOver = (until: string): Problem => ({
  code: 'JAIL_OVER',
  class: 'config',
  message: `the jail would end at ${until}, which is over already`,
  next: 'Write `--until` with a later day; `slipway tests unjail` ends a jail.',
});

export const notInJail = (title: string, state: string): Problem => ({
  code: 'NOT_IN_JAIL',
  class: 'config',
  message: `${title} is ${state}, not in jail`,
  next: 'Type `slipway tests show NAME` to see what is known of it.',
});
