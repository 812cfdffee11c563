import { problem } from '../../model/problem.js';

/** @param queue with the number of steps that would wait there */
export const fleetLacksQueue = problem.config((queue: string, steps: number, named: boolean) => [
  'FLEET_LACKS_QUEUE',
  named
    ? `the fleet has no worker of ${queue}, and ${count(steps)} would wait for it for ever`
    : `the fleet does not name the queue ${queue}, and ${count(steps)} would wait for it for ever`,
  `Write \`${queue}: { workers: 1 }\` under \`queues:\` of the fleet file, or --workers 1 for every queue.`,
  { path: `queues.${queue}` },
]);
export const simulationStuck = problem.bug((open: readonly string[]) => [
  'SIMULATION_STUCK',
  `the simulation cannot continue: ${open.join(', ')} has not ended`,
  'Report this with the plan and the fleet file.',
]);

const count = (steps: number): string => (steps === 1 ? '1 step' : `${steps} steps`);
