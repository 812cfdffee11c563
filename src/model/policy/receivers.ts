import type { Outlet } from '../listener.js';
import type { Plan, Step } from '../plan.js';
import { type Receiver, isLoopback, targetsIn } from './place.js';

/* What the addresses of a plan get of ours. In a rehearsal all of it stays on this machine; live a row of the policy allows it.
 *
 * | kind | gets | in a rehearsal |
 * |---|---|---|
 * | a target | files, names, its credential | refused elsewhere |
 * | jobs, ssh | source, wheels, locks, files of the bundle, values of `env` | refused elsewhere; ssh always |
 * | postgres | its password, results of tests | refused elsewhere |
 * | github | its token, results of tests | elsewhere nothing is sent |
 * | webhook of `notify` | what the run says, its headers | refused elsewhere |
 * | webhook of `announce` | names, digests and addresses of files, its headers | nothing is sent |
 * | read: bases, wheels of other pipelines | nothing, and no credential of the plan | allowed |
 */

/** Returns every address of a plan. An address may be a reference (`$NAME`): its value is judged when it is used. */
export function receiversIn(plan: Pick<Plan, 'profile' | 'steps' | 'notify'>): readonly Receiver[] {
  const { rehearsal } = plan.profile;
  const told = (plan.notify?.listeners ?? []).filter((one) => one.rehearsal || !rehearsal);
  const found = [
    ...plan.steps.flatMap((step) => receiversOf(step, rehearsal)),
    ...told.flatMap(({ name, outlet }) => ofOutlet(outlet, ['notify', name])),
  ];
  return [...targetsIn(plan), ...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns the addresses of a step besides its own target. */
export function receiversOf({ id, kind, params }: Step, rehearsal: boolean): readonly Receiver[] {
  const entry = id.split('/').slice(0, 2);
  switch (kind) {
    case 'runOnCluster': {
      const { name, manager } = params.cluster;
      if (manager.by === 'jobs') return [receiver('jobs', ['clusters', name, 'address'], manager.address)];
      const { hosts, config } = manager.by === 'ssh' ? manager : { hosts: [], config: null };
      return hosts.map((host) => ({ ...receiver('ssh', ['clusters', name, 'hosts'], host), config }));
    }
    case 'reportTests':
      if (params.kind === 'rows') return [];
      if (params.kind === 'postgres') return [receiver('postgres', [...entry, 'address'], params.url)];
      if (rehearsal && !isLoopback(params.address)) return [];
      return [{ ...receiver('github', [...entry, 'address'], params.address), repository: params.repository }];
    case 'announceRelease':
      return rehearsal ? [] : ofOutlet(params.outlet, entry);
    case 'promoteImage':
      return params.from.password === null ? [] : [params.from];
    case 'makeBase':
      return 'image' in params.from ? [receiver('read', [...entry, 'image'], `https://${params.from.image}`)] : [];
    case 'takeWheel':
      return 'at' in params.from ? [receiver('read', [...entry, 'from', 'at'], params.from.at)] : [];
    default:
      return [];
  }
}

const ofOutlet = (outlet: Outlet, path: readonly string[]): readonly Receiver[] =>
  outlet.by === 'webhook'
    ? [receiver('webhook', [...path, 'webhook'], outlet.url.replace(/^(https?:[^?#]*).*$/s, '$1'))]
    : [];

export const receiver = (kind: Receiver['kind'], path: readonly string[], address: string): Receiver => ({
  ...{ name: path.slice(0, 2).join('.'), kind, address, path },
  ...{ repository: null, username: null, password: null },
});
