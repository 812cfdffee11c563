import type { RunStatus } from '../../model/messages.js';
import { plain, type Colours } from '../render/paint.js';

/** Gates that wait: for what, and who may approve. `nextCommands` has what to type. */
export const gateLines = (status: RunStatus, paint: Colours): string[] =>
  status.steps.flatMap(({ id, gate, because }) =>
    gate === undefined
      ? []
      : [
          '',
          `${paint.yellow('‖')} ${paint.bold(plain(id))} waits: ${plain(because ?? '')}`,
          `  manifest ${gate.manifest}`,
          ...gate.approvers.map((group) => `  may approve: ${plain(group)}`),
          ...(gate.quorum > 0 ? [] : [`  ${paint.cyan('next:')} ${plain(gate.next)}`]),
        ],
  );
