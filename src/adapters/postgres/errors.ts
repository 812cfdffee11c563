import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const addressWrong = (report: string): Problem => ({
  code: 'POSTGRES_ADDRESS_WRONG',
  class: 'config',
  message: `${report}: the address of its database is no postgres://user:password@host/database`,
  next: 'Correct what the reference under `reports` of the profile names.',
});

export const databaseUnreachable = (report: string, why: string): Problem => ({
  code: 'POSTGRES_UNREACHABLE',
  class: 'infra',
  service: targetService(report),
  message: `${report}: its database does not answer: ${why}`,
  next: 'The step tries again by itself. Start the server, or correct its address in the profile.',
});

export const databaseDenied = (report: string, why: string): Problem => ({
  code: 'POSTGRES_DENIED',
  class: 'denied',
  message: `${report}: its database refused the user: ${why}`,
  next: 'Correct the user or its password, or grant it the table; then type `slipway retry STEP`.',
});

export const databaseRefused = (report: string, table: string, why: string): Problem => ({
  code: 'POSTGRES_REFUSED',
  class: 'config',
  message: `the database of ${report} refused rows for the table ${table}: ${why}`,
  next: 'Name another `table`, or create this one with the columns key text primary key, run text, reported_at timestamptz and row jsonb.',
});
