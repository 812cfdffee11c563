import { connect } from 'node:net';
import { DRILL_PORT, type Phase, type Reached } from '../model/drill.js';
import type { StepId } from '../model/ids.js';

/** Waits at each point until the drill closes the connection. Undefined without a drill.
 * @param env of the worker */
export function createPoints(
  env: Readonly<Record<string, string | undefined>>,
): { passes: (step: StepId, phase: Phase) => Promise<void> } | undefined {
  const port = Number(env[DRILL_PORT] ?? 0);
  if (!(port > 0)) return undefined;
  return {
    passes: (step, phase) =>
      new Promise((resolve) => {
        const reached: Reached = { step, phase };
        const socket = connect(port, '127.0.0.1', () => socket.write(`${JSON.stringify(reached)}\n`));
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.resume();
      }),
  };
}
