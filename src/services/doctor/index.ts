import { existsSync, lstatSync } from 'node:fs';
import { wideParts } from '../../adapters/private-home.js';
import { findSandbox } from '../../adapters/process/sandbox.js';
import { type Checked, type DoctorCheck, type Finding, ill, type Patient, well } from './check.js';
import { clusters } from './clusters.js';
import { disks } from './disks.js';
import { hosts } from './hosts.js';
import { askIndexes } from './indexes.js';
import { services } from './services.js';
import { tools } from './tools.js';

const NAMED = 3;

const CORE: readonly DoctorCheck[] = [
  services,
  tools,
  ({ folder }) => clusters(folder),
  askHome,
  askIndexes,
  sandbox,
  hosts,
  disks,
];

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

function askHome({ home }: Patient): Finding {
  if (!existsSync(home)) return well('home', `${home} is not made yet`);
  const wide = wideParts(home);
  const told = wide.slice(0, NAMED).map(({ path, mode }) => `${path} has mode ${mode.toString(8)}`);
  if (wide.length > NAMED) told.push(`and ${wide.length - NAMED} more`);
  return wide.length === 0
    ? well('home', `${home} has mode ${(lstatSync(home).mode & 0o777).toString(8)}`)
    : ill('home', `other users may reach it: ${told.join(', ')}`, 'slipway up');
}

function sandbox({ home, toolsBin, env }: Patient): Finding {
  const found = findSandbox({ home, toolsBin, env });
  if (typeof found !== 'string')
    return well('sandbox', 'bubblewrap: programs of projects run in a sandbox of their own');
  const accepted = 'write `isolation: none` at the top of a release file that may be built without one';
  return ill('sandbox', found, `Install bubblewrap (\`apt-get install bubblewrap\` as root), or ${accepted}`);
}
