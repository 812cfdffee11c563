import type { Finding } from '../../../model/finding.js';
import type { RunStatus } from '../../../model/messages.js';
import type { Plan } from '../../../model/plan.js';
import { findings } from '../pure/findings.js';

/** Findings about specs that `known` lists and that a run built. */
export async function knownPasses({ steps }: Plan, status: RunStatus): Promise<readonly Finding[]> {
  const passed = new Set(status.steps.filter(({ state }) => ['done', 'cached'].includes(state)).map(({ id }) => id));
  return steps.flatMap((step) => {
    if (step.kind !== 'buildSpec' || step.tolerate === undefined || !passed.has(step.id)) return [];
    const { name, version, environment } = step.params;
    return [findings.knownPasses(`${name}@${version}`, step.id, environment.replace('/', '.'))];
  });
}
