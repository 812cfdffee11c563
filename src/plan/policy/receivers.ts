import type { KindWith } from '../../model/kinds.js';
import type { Outlet } from '../../model/listener.js';
import type { Plan, Step } from '../../model/plan.js';
import { answer, isAnswered, RECEIVERS } from '../../model/schema/kind-answers.js';
import type { Reached } from '../../model/schema/feature-schemas.js';
import { type Receiver, isLoopback, targetsIn } from '../../model/policy/place.js';

/** Returns every address of a plan. docs/publishing.md#rehearsals lists what each gets of ours. An address may be a reference (`$NAME`): its value is judged when it is used. */
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
export function receiversOf(step: Step, rehearsal: boolean): readonly Receiver[] {
  if (isAnswered(RECEIVERS, step))
    return answer<readonly Reached[]>(RECEIVERS, step).map((one) => receiver(one.kind, one.path, one.address));
  const { id, kind, params } = step;
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
      return 'image' in params.from ? [ofImage(params.from, [...entry, 'image'])] : [];
    case 'fetchTool':
      return [receiver('read', [...entry, 'at'], params.at)];
    case 'takeWheel':
      return 'at' in params.from ? [receiver('read', [...entry, 'from', 'at'], params.from.at)] : [];
    default:
      return nothing(kind);
  }
}
const nothing = (_: KindWith<'reaches', false>): readonly Receiver[] => [];

const ofImage = (
  { image, registry }: { readonly image: string; readonly registry?: string },
  path: readonly string[],
) =>
  registry === undefined
    ? receiver('read', path, `https://${image}`)
    : receiver('read', ['registry'], registry.replace(/^(?!service:)/, 'https://'));

const ofOutlet = (outlet: Outlet, path: readonly string[]): readonly Receiver[] =>
  outlet.by === 'webhook'
    ? [receiver('webhook', [...path, 'webhook'], outlet.url.replace(/^(https?:[^?#]*).*$/s, '$1'))]
    : [];

export const receiver = (kind: Receiver['kind'], path: readonly string[], address: string): Receiver => ({
  ...{ name: path.slice(0, 2).join('.'), kind, address, path },
  ...{ repository: null, username: null, password: null },
});
