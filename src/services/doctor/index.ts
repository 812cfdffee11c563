import { type Checked, type DoctorCheck, type Finding, ill, type Patient } from './check.js';
import { clusters } from './clusters.js';
import { askHome } from './home.js';
import { askIndexes } from './indexes.js';
import { sandbox } from './sandbox.js';
import { services } from './services.js';
import { tools } from './tools.js';

const CORE: readonly DoctorCheck[] = [services, tools, ({ folder }) => clusters(folder), askHome, askIndexes, sandbox];

/** Runs all checks concurrently. A failed check names the command that fixes it. A check that throws is a finding of its owner. */
export async function doctor(patient: Patient, features: Checked = {}): Promise<readonly Finding[]> {
  const asked = Object.entries({ core: { doctor: CORE }, ...features }).flatMap(([owner, { doctor: checks = [] }]) =>
    checks.map(async (check) => {
      try {
        return await check(patient);
      } catch (error) {
        const file = owner === 'core' ? 'src/services/doctor' : `src/features/${owner}/node.ts`;
        return ill(owner, `a check threw: ${(error as Error).message}`, `Correct that check in ${file}`);
      }
    }),
  );
  return (await Promise.all(asked)).flat();
}
