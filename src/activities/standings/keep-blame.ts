import type { KeepBlame } from '../../model/bisect.js';
import type { Store } from '../ports.js';
import { keepAction, readChain } from './chain.js';

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
