import { withActions } from '../../engine/standings/fold.js';
import type { NumberedAction } from '../../engine/standings/actions.js';
import { fail } from '../../model/failure.js';
import { records, type Chain } from '../../model/run-folder.js';
import type { Check } from '../../model/check.js';
import type { Standings, TestAction } from '../../model/tests/standing.js';
import { standingsFault, testActionFault } from '../../model/tests/standings-fault.js';
import { keepNext, lastNumber } from '../numbered.js';
import type { Store } from '../ports.js';
import { chainMalformed } from './errors.js';
import type { KeepBlame } from '../../model/bisect.js';

type Reading = Pick<Store, 'list' | 'read'>;

/** The last record of a chain, and the actions that it does not have. */
export interface ReadChain {
  /** Null if no run has counted yet. */
  readonly last: Standings | null;
  /** Number of the last record, 0 without one. */
  readonly no: number;
  readonly actions: readonly NumberedAction[];
}

/** Reads one record of standings, however many there are. Throws STANDINGS_MALFORMED. */
export async function readChain(store: Reading, chain: Chain): Promise<ReadChain> {
  const no = await lastNumber(store, records.standings(chain));
  const last = no === 0 ? null : await readAs<Standings>(store, records.standings(chain, no), standingsFault);
  return { last, no, actions: await actionsSince(store, chain, last?.actions ?? 0) };
}

/** The standings as they are now, with the actions since the last night. Null if no run has counted yet. */
export async function readStandings(store: Reading, chain: Chain): Promise<Standings | null> {
  const { last, actions } = await readChain(store, chain);
  return last && withActions(last, actions);
}

/** Stores an action under the next free number. Returns that number. */
export async function keepAction(
  store: Pick<Store, 'list' | 'create'>,
  chain: Chain,
  action: TestAction,
): Promise<number> {
  return keepNext(store, (no) => records.testActions(chain, no), action);
}

async function actionsSince(store: Reading, chain: Chain, taken: number): Promise<readonly NumberedAction[]> {
  const last = await lastNumber(store, records.testActions(chain));
  const numbers = Array.from({ length: Math.max(0, last - taken) }, (_, at) => taken + 1 + at);
  return Promise.all(
    numbers.map(async (no) => ({
      no,
      action: await readAs<TestAction>(store, records.testActions(chain, no), testActionFault),
    })),
  );
}

async function readAs<T>(store: Pick<Store, 'read'>, name: string, check: Check): Promise<T> {
  const found = await store.read<T>(name);
  const fault = check(found);
  if (fault !== null || found === null) throw fail(chainMalformed(name, fault ?? 'is gone'));
  return found;
}

/** Stores the commits that a bisect blames, for the next standings. A second attempt stores nothing. */
export const createKeepBlame =
  (store: Pick<Store, 'list' | 'read' | 'create'>, nowMs: () => number): KeepBlame =>
  async ({ chain, test, commits, workflowId }) => {
    const { actions } = await readChain(store, chain);
    if (
      actions.some(({ action }) => action.action === 'blame' && action.by === workflowId && action.commits === commits)
    )
      return;
    const at = new Date(nowMs()).toISOString();
    await keepAction(store, chain, { slipway: 1, test, by: workflowId, at, action: 'blame', commits });
  };
