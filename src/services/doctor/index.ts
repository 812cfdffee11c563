import type { Finding, Patient } from './check.js';
import { askHome } from './home.js';
import { services } from './services.js';
import { tools } from './tools.js';

/** Asks everything at once; a finding that is not ok names the command that mends it. */
export async function doctor(patient: Patient): Promise<readonly Finding[]> {
  return (await Promise.all([services(patient), tools(patient), askHome(patient)])).flat();
}
