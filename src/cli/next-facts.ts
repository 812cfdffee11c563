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
  return told().catch(() => ({ again: null, moved: false }));
}

async function hasMoved(file: string | null, plan: Plan | null, ports: Ports): Promise<boolean> {
  if (file === null || plan?.source.kind !== 'git') return false;
  const now = await ports.commitNow(file).catch(() => null);
  return now !== null && now !== plan.source.commit;
}

/** Returns the line that starts the same release again. Null for an unknown plan, and for one of a commit that a comment or a bisect
 * chose: no option names it. A rehearsal whose gates may have been watched stops at them again. */
function runLine(file: string | null, plan: Plan | null, label?: string): string | null {
  if (plan === null) return file === null ? null : withFile('slipway run', file);
  if (plan.given?.source !== undefined) return null;
  const { name, rehearsal } = plan.profile;
  const hasGates = rehearsal && plan.steps.some(({ kind }) => kind === 'passGate');
  const options = [
    ...(name === 'local' ? [] : [`--profile ${shellWord(name)}`]),
    ...typedOptions(plan, label),
    ...(hasGates ? ['--stop-at-gates'] : []),
  ];
  return [withFile('slipway run', file), ...options].join(' ');
}
