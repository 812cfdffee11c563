import type { RunStatus } from '../model/messages.js';
import type { Plan } from '../model/plan.js';
import { shellWord } from '../model/quoted.js';
import type { NextFacts } from '../model/run-next.js';
import { typedOptions } from './given.js';
import type { Ports } from './ports.js';
import { withFile } from './screens/next.js';
import { storedPlan } from './stored-plan.js';
import { shownFile } from './with-locations.js';

/** Gathers what the next commands of a run depend on. Without a store the command line names neither file nor options. */
export async function nextFacts(status: RunStatus, ports: Ports): Promise<NextFacts> {
  const told = async (): Promise<NextFacts> => {
    const file = await shownFile(status.run, ports);
    const plan = await storedPlan(status.plan, ports);
    // A word such as `minute` would give another label, and another run.
    const label = status.state === 'held' && status.pipeline ? status.version : undefined;
    return { again: runLine(file, plan, label), moved: status.state === 'held' && (await hasMoved(file, plan, ports)) };
  };
  return told().catch(() => ({ again: runLine(null, null), moved: false }));
}

async function hasMoved(file: string | null, plan: Plan | null, ports: Ports): Promise<boolean> {
  if (file === null || plan?.source.kind !== 'git') return false;
  const now = await ports.commitNow(file).catch(() => null);
  return now !== null && now !== plan.source.commit;
}

/** Returns the line that starts the same release again. Null for a file or a plan that this machine does not know. */
function runLine(file: string | null, plan: Plan | null, label?: string): string {
  const profile = plan?.profile.name ?? 'local';
  const options = [
    ...(profile === 'local' ? [] : [`--profile ${shellWord(profile)}`]),
    ...(plan ? typedOptions(plan, label) : []),
  ];
  return [withFile('slipway run', file), ...options].join(' ');
}
