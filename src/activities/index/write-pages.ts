import { fail } from '../../model/failure.js';
import type { PruneOrder } from '../../model/index-prune.js';
import {
  isPrune,
  type IndexRequest,
  type ListOutcome,
  type ListRequest,
  type WritePages,
} from '../../model/index-writer.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Target } from '../../model/target.js';
import { problemsIn } from '../publish/proofs.js';
import type { Connection, Targets } from '../publish/target.js';
import { drawGroup, type AskedPages, type Group } from './draw-group.js';
import { notAnIndex } from './errors.js';
import type { IndexPlace } from './ports.js';
import { markRemoved } from './prune.js';

export interface WritingPorts {
  /** Reads a signed plan. Throws PLAN_MISSING or PLAN_NOT_SIGNED. */
  planOf(digest: string): Promise<Plan>;
  /** Resolves address and secrets of a target, if this worker's policy allows it. */
  connect(plan: Plan, step: StepOf<'publishArtifacts'>): Promise<Connection>;
  readonly targets: Pick<Targets, 'index'>;
  readonly orders: OrderPorts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
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
    const outcomes: ListOutcome[] = requests.map(() => ({ findings: [] }));
    const groups = new Map<string, Group>();
    for (const [at, request] of requests.entries()) {
      const refused = await problemsIn(async () => {
        const { key, place, asked } = await openRequest(ports, request);
        const group = groups.get(key) ?? { place, asked: new Map() };
        groups.set(key, group);
        group.asked.set(at, asked);
      });
      if (refused.length > 0) outcomes[at] = { problems: refused };
    }
    for (const group of groups.values())
      for (const [at, outcome] of await drawGroup(group, ports.now())) outcomes[at] = outcome;
    return { outcomes };
  };

interface Opened {
  readonly key: string;
  readonly place: IndexPlace;
  readonly asked: AskedPages;
}

/** Opens the index of a request. The records of a prune are written here, because pages are drawn from them. */
async function openRequest(ports: WritingPorts, request: IndexRequest): Promise<Opened> {
  if (!isPrune(request)) {
    const opened = openIndex(ports, await connectStep(ports, request), request.step);
    return { ...opened, asked: { names: request.names, findings: [], platforms: [] } };
  }
  const order = await ports.orders.read(request.prune);
  const opened = openIndex(ports, await ports.orders.connect(order), order.target.name);
  return { ...opened, asked: { ...(await markRemoved(opened.place, order)), platforms: order.platforms } };
}

async function connectStep(ports: WritingPorts, { plan: digest, step: id }: ListRequest): Promise<Connection> {
  const plan = await ports.planOf(digest);
  const step = plan.steps.find((one) => one.id === id);
  if (step === undefined || !listsWheels(step)) throw fail(notAnIndex(id));
  return ports.connect(plan, step);
}

const listsWheels = (step: Step): step is StepOf<'publishArtifacts'> & Step =>
  step.kind === 'publishArtifacts' && step.params.target.kind === 'simple';

function openIndex({ targets }: WritingPorts, to: Connection, what: string): Omit<Opened, 'asked'> {
  const place = targets.index?.(to) ?? null;
  if (place === null) throw fail(notAnIndex(what));
  return { key: keyOf(to), place };
}

const keyOf = ({ address, extra }: Pick<Target, 'address'> & { readonly extra?: unknown }): string =>
  JSON.stringify([address, extra]);
