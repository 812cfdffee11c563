import type { Problem } from '../../model/failure.js';

export const noDatabase = (): Problem => ({
  code: 'HISTORY_NO_DATABASE',
  class: 'config',
  message: 'there is no PostgreSQL to ask: none runs beside this home, and SLIPWAY_HISTORY names none',
  next: 'Type `apt-get install postgresql-15`, then `slipway up`. Or set SLIPWAY_HISTORY to postgres://USER:PASSWORD@HOST/DATABASE.',
});

export const historyAddressWrong = (): Problem => ({
  code: 'HISTORY_ADDRESS_WRONG',
  class: 'config',
  message: 'the value of SLIPWAY_HISTORY is no address of a database',
  next: 'Set SLIPWAY_HISTORY to postgres://USER:PASSWORD@HOST/DATABASE.',
});

/** @param host without credentials */
export const historyRefused = (host: string, said: string): Problem => ({
  code: 'HISTORY_REFUSED',
  class: 'infra',
  message: `the database at ${host} refused: ${said}`,
  next: 'Type `slipway doctor`, and read .slipway/log/postgres.log.',
});

export const statementRefused = (said: string): Problem => ({
  code: 'HISTORY_STATEMENT_REFUSED',
  class: 'config',
  message: `the statement was refused by PostgreSQL: ${said}`,
  next: 'Correct --sql. It may be one statement that reads; docs/release-tests.md has the columns.',
});

export const statementBySuperuser = (user: string): Problem => ({
  code: 'HISTORY_SUPERUSER',
  class: 'config',
  message: `the user ${user} of SLIPWAY_HISTORY may run programs on its server, and so could the statement`,
  next: 'Name a user without such rights in SLIPWAY_HISTORY; docs/release-tests.md has the lines that make this user.',
});
