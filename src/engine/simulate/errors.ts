import type { Problem } from '../../model/failure.js';

/** @param queue with the number of steps that would wait there */
export const fleetLacksQueue = (queue: string, steps: number, named: boolean): Problem => ({
  code: 'FLEET_LACKS_QUEUE',
  class: 'config',
  message: named
    ? `the fleet has no worker of ${queue}, and ${count(steps)} would wait for it for ever`
    : `the fleet does not name the queue ${queue}, and ${count(steps)} would wait for it for ever`,
  next: `Write \`${queue}: { workers: 1 }\` under \`queues:\` of the fleet file, or --workers 1 for every queue.`,
  path: `queues.${queue}`,
});

export const simulationStuck = (open: readonly string[]): Problem => ({
  code: 'SIMULATION_STUCK',
  class: 'bug',
  message: `the simulation cannot continue: ${open.join(', ')} has not ended`,
  next: 'Report this with the plan and the fleet file.',
});

const count = (steps: number): string => (steps === 1 ? '1 step' : `${steps} steps`);
