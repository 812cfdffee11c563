import { problem } from '../../model/problem.js';
import type { Chain } from '../../model/run-folder.js';
import { STANDING_NAMES } from '../../model/tests/standing.js';

export const noStandingsSection = problem.config((file: string) => [
  'NO_STANDINGS',
  `${file} has no "standings": nothing is known of its tests beyond one run`,
  'Add `standings: { branch: main }` with the branch whose runs count, and run it.',
]);
export const noNights = problem.config(({ pipeline, branch, profile }: Chain) => [
  'NO_NIGHTS',
  `no run of ${pipeline} on branch ${branch} with profile ${profile} has ended yet`,
  'Type `slipway run FILE` on that branch; `--profile` names another profile.',
]);
export const notAStanding = problem.config((said: string) => [
  'NOT_A_STANDING',
  `"${said}" is no standing`,
  `Write \`--standing\` with one of ${STANDING_NAMES.map((name) => `"${name}"`).join(', ')}.`,
]);
export const unknownTest = problem.config((asked: string, hint: string) => [
  'UNKNOWN_TEST',
  `no test is called "${asked}"${hint}`,
  'Type `slipway tests --json` for all names. A name is exact: a part of it is none.',
]);
export const manyTests = problem.config((asked: string, tests: readonly string[]) => [
  'MANY_TESTS',
  `"${asked}" has ${tests.length} variants: ${tests.slice(0, 10).join(', ')}${tests.length > 10 ? ', …' : ''}`,
  'Name one of them.',
]);
export const ownerMissing = problem.config(() => [
  'OWNER_MISSING',
  'a jail needs an owner: the person or team that fixes the test',
  'Add `--owner`.',
]);
export const notADate = problem.config((option: string, said: string) => [
  'NOT_A_DATE',
  `${option}: ${said}`,
  'Write `--until` with a day in UTC (2026-12-06), or `--for` with a duration of at most 24 days (14d).',
]);
export const jailOver = problem.config((until: string) => [
  'JAIL_OVER',
  `the jail would end at ${until}, which is over already`,
  'Write `--until` with a later day; `slipway tests unjail` ends a jail.',
]);
export const notInJail = problem.config((title: string, state: string) => [
  'NOT_IN_JAIL',
  `${title} is ${state}, not in jail`,
  'Type `slipway tests show NAME` to see what is known of it.',
]);
