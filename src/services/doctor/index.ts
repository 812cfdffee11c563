import type { Finding, Patient } from './check.js';
import { clusters } from './clusters.js';
import { askHome } from './home.js';
import { askIndexes } from './indexes.js';
import { sandbox } from './sandbox.js';
import { services } from './services.js';
import { tools } from './tools.js';

/** Runs all checks concurrently. A failed check names the command that fixes it. */
export async function doctor(patient: Patient): Promise<readonly Finding[]> {
  const asked = [
    ...[services(patient), tools(patient), clusters(patient.folder)],
    ...[askHome(patient), askIndexes(patient)],
  ];
  return [...(await Promise.all(asked)).flat(), sandbox(patient)];
}
