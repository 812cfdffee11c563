import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const addressWrong = problem.config((report: string) => [
  'POSTGRES_ADDRESS_WRONG',
  `${report}: the address of its database is no postgres://user:password@host/database`,
  'Correct what the reference under `reports` of the profile names.',
]);

export const databaseUnreachable = (report: string, why: string): Problem => ({
  code: 'POSTGRES_UNREACHABLE',
  class: 'infra',
  service: targetService(report),
  message: `${report}: its database does not answer: ${why}`,
  next: 'The step tries again by itself. Start the server, or correct its address in the profile.',
});

export const databaseDenied = problem.denied((report: string, why: string) => [
  'POSTGRES_DENIED',
  `${report}: its database refused the user: ${why}`,
  'Correct the user or its password, or grant it the table; then type `slipway retry STEP`.',
]);
export const databaseRefused = problem.config((report: string, table: string, why: string) => [
  'POSTGRES_REFUSED',
  `the database of ${report} refused rows for the table ${table}: ${why}`,
  'Name another `table`, or create this one with the columns key text primary key, run text, reported_at timestamptz and row jsonb.',
]);
