import { problem } from '../../model/problem.js';

export const noDatabase = problem.config(() => [
  'HISTORY_NO_DATABASE',
  'there is no PostgreSQL to ask: none runs beside this home, and SLIPWAY_HISTORY names none',
  'Type `apt-get install postgresql-15`, then `slipway up`. Or set SLIPWAY_HISTORY to postgres://USER:PASSWORD@HOST/DATABASE.',
]);
export const historyAddressWrong = problem.config(() => [
  'HISTORY_ADDRESS_WRONG',
  'the value of SLIPWAY_HISTORY is no address of a database',
  'Set SLIPWAY_HISTORY to postgres://USER:PASSWORD@HOST/DATABASE.',
]);
/** @param host without credentials */
export const historyRefused = problem.infra((host: string, said: string) => [
  'HISTORY_REFUSED',
  `the database at ${host} refused: ${said}`,
  'Type `slipway doctor`, and read .slipway/log/postgres.log.',
]);
export const statementRefused = problem.config((said: string) => [
  'HISTORY_STATEMENT_REFUSED',
  `the statement was refused by PostgreSQL: ${said}`,
  'Correct --sql. It may be one statement that reads; docs/release-tests.md has the columns.',
]);
export const statementBySuperuser = problem.config((user: string) => [
  'HISTORY_SUPERUSER',
  `the user ${user} of SLIPWAY_HISTORY may run programs on its server, and so could the statement`,
  'Name a user without such rights in SLIPWAY_HISTORY; docs/release-tests.md has the lines that make this user.',
]);
