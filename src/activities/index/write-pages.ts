import { fail } from '../../model/failure.js';
import type { PruneOrder } from '../../model/index-prune.js';
import {
  isPrune,
  type IndexRequest,
  type ListOutcome,
  type ListRequest,
  type Restored,
  type WritePages,
} from '../../model/index-writer.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Target } from '../../model/target.js';
import { problemsIn } from '../publish/proofs.js';
import type { Connection, Targets } from '../publish/ports.js';
import { drawGroup, type AskedPages, type Group } from './draw-group.js';
import { notAnIndex } from './errors.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { RestorePlace } from './ports.js';
import { keepRefresh, NOTHING_KEPT } from './keep-refresh.js';
import { markRemoved } from './prune.js';
import { restore } from './restore.js';

export interface WritingPorts {
  /** Reads a signed plan. Throws PLAN_MISSING or PLAN_NOT_SIGNED. */
  planOf(digest: string): Promise<Plan>;
  /** Resolves address and secrets of a target, if this worker's policy allows it. */
  connect(plan: Plan, step: StepOf<'publishArtifacts'>): Promise<Connection>;
  readonly targets: Pick<Targets, 'index'>;
  readonly orders: OrderPorts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Needed to restore. */
  readonly copies?: Copies;
}

export interface Copies {
  readonly store: Store;
  /** Makes a folder for copies, and removes it afterwards. */
  withFolder<T>(use: (folder: string) => Promise<T>): Promise<T>;
}

/** Orders to prune. */
export interface OrderPorts {
  /** Reads a signed order. Throws RECORD_NOT_PROVED, PRUNE_ORDER_UNKNOWN or PRUNE_REVIEW_STALE. */
  read(record: string): Promise<PruneOrder>;
  /** Resolves the target of an order, if this worker's policy allows it. */
  connect(order: PruneOrder): Promise<Connection>;
}

/** Draws the pages of several requests, those of one index together, and carries out orders to prune. A request that is
 * refused has its problems as outcome. */
export const createWritePages =
  (ports: WritingPorts): WritePages =>
  async ({ requests }) => {
    const restored = new Map<number, readonly Restored[]>();
    const outcomes: ListOutcome[] = requests.map(() => ({ findings: [] }));
    const groups = new Map<string, Group>();
    for (const [at, request] of requests.entries()) {
      const refused = await problemsIn(async () => {
        const { key, place, asked, restored: rows } = await openRequest(ports, request);
        if (rows !== undefined) restored.set(at, rows);
        const group = groups.get(key) ?? { place, asked: new Map() };
        groups.set(key, group);
        group.asked.set(at, asked);
      });
      if (refused.length > 0) outcomes[at] = { problems: refused };
    }
    for (const group of groups.values())
      for (const [at, outcome] of await drawGroup(group, ports.now()))
        outcomes[at] = withRestored(outcome, restored.get(at));
    return { outcomes };
  };

interface Opened {
  readonly key: string;
  readonly place: RestorePlace;
  readonly asked: AskedPages;
  /** Present if the request restores. */
  readonly restored?: readonly Restored[];
}

/** Opens the index of a request. The records of a prune are written here, because pages are drawn from them. */
async function openRequest(ports: WritingPorts, request: IndexRequest): Promise<Opened> {
  if (!isPrune(request)) {
    const { to, planned } = await connectStep(ports, request);
    const opened = openIndex(ports, to, request.step);
    const asked = await askedBy(ports, opened.place, request);
    if (!request.restore || !ports.copies) return { ...opened, asked };
    return { ...opened, asked, restored: await restoredBy(ports.copies, { ...opened, planned }, request) };
  }
  const order = await ports.orders.read(request.prune);
  const opened = openIndex(ports, await ports.orders.connect(order), order.target.name);
  return {
    ...opened,
    asked: { ...(await markRemoved(opened.place, order)), platforms: order.platforms, refreshed: [] },
  };
}

/** Stores what the run of a request wanted, if the request says that it ended. */
async function askedBy(
  { planOf, copies }: WritingPorts,
  place: RestorePlace,
  request: ListRequest,
): Promise<AskedPages> {
  const { names, plan, ended } = request;
  const kept =
    ended && copies ? await keepRefresh({ place, store: copies.store }, await planOf(plan), request) : NOTHING_KEPT;
  return { names, findings: [], ...kept };
}

interface ConnectedStep {
  readonly to: Connection;
  /** Address of the target, as the plan says it. */
  readonly planned: string;
}

async function connectStep(ports: WritingPorts, { plan: digest, step: id }: ListRequest): Promise<ConnectedStep> {
  const plan = await ports.planOf(digest);
  const step = plan.steps.find((one) => one.id === id);
  if (step === undefined || !listsWheels(step)) throw fail(notAnIndex(id));
  return { to: await ports.connect(plan, step), planned: step.params.target.address };
}

const restoredBy = (
  { store, withFolder }: Copies,
  { place, planned }: Pick<Opened, 'place'> & Pick<ConnectedStep, 'planned'>,
  { names, restore: wheels = [] }: ListRequest,
): Promise<readonly Restored[]> =>
  withFolder((folder) =>
    restore({ place, store, folder }, { address: sha256(planned), platforms: platformsOf(names), wheels }),
  );

const platformsOf = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.split('/')[0]!)),
];

const withRestored = (outcome: ListOutcome, restored: readonly Restored[] | undefined): ListOutcome =>
  'problems' in outcome || restored === undefined ? outcome : { ...outcome, restored };

const listsWheels = (step: Step): step is StepOf<'publishArtifacts'> & Step =>
  step.kind === 'publishArtifacts' && step.params.target.kind === 'simple';

function openIndex({ targets }: WritingPorts, to: Connection, what: string): Omit<Opened, 'asked'> {
  const place = targets.index?.(to) ?? null;
  if (place === null) throw fail(notAnIndex(what));
  return { key: keyOf(to), place };
}

const keyOf = ({ address, extra }: Pick<Target, 'address'> & { readonly extra?: unknown }): string =>
  JSON.stringify([address, extra]);
