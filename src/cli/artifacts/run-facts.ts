import type { JsonObject } from '../../model/json.js';
import type { Plan } from '../../model/plan.js';
import type { RunStatus } from '../../model/messages.js';
import type { Result } from '../../model/result.js';
import { resultNames } from '../../model/rounds.js';
import { logsOf } from '../find-log.js';
import type { Ports } from '../ports.js';
import { planOf, storedJson } from '../stored-plan.js';
import type { RunFacts } from './view.js';

/** Reads what the view of a run is made of. A reused result brings the log of the run that made it. */
export async function runFacts(status: RunStatus, ports: Ports): Promise<RunFacts> {
  const [store, plan] = [await ports.store(), await planOf(status, ports)];
  const found = await Promise.all((await resultNames(store, status.run)).map((name) => store.read<Result>(name)));
  const results = new Map(found.flatMap((result) => (result === null ? [] : [[result.step, result] as const])));
  const runs = new Set([status.run, ...[...results.values()].map(({ made }) => made.run)]);
  const printed = new Map(await Promise.all([...runs].map(async (run) => [run, await logsOf(store, run)] as const)));
  const logs = plan.steps.flatMap(({ id }) => {
    const maker = results.get(id)?.made.run;
    const run = printed.get(status.run)!.has(id) || maker === undefined ? status.run : maker;
    const attempts = printed.get(run)!.get(id);
    return attempts === undefined ? [] : [[id, [...attempts.values()]] as const];
  });
  return { plan, status, results, logs: new Map(logs), settings: await settingsIn(plan, ports) };
}

/** Returns the files that tell the settings of a plan. None without settings. */
async function settingsIn(plan: Plan, ports: Ports): Promise<Readonly<Record<string, string>>> {
  const record = await storedJson<JsonObject>(plan.settings, ports);
  const files = Object.values(ports.screens).map(({ settings }) => (record && settings?.files(record)) ?? {});
  return Object.assign({}, ...(await Promise.all(files))) as Readonly<Record<string, string>>;
}
