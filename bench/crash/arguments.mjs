import { parseArgs } from 'node:util';
import { shapes } from './graphs.mjs';
import { PLANTED } from './ground.mjs';
import { PROCESSES } from './kills.mjs';

const USAGE =
  'usage: node bench/crash.mjs [--shape random|chain] [--steps 10000] [--kills 12] [--seed 1] [--continue-after 30000] [--victims workflows,server,steps] [--cached N] [--task-seconds 10] [--pauses 0] [--asks] [--plant query-counts|no-guard] [--json] [--keep]';
const text = (value) => ({ type: 'string', ...(value !== undefined && { default: String(value) }) });
const options = {
  ...{ shape: text('random'), steps: text(10_000), kills: text(12), seed: text(1), 'continue-after': text() },
  ...{ victims: text(PROCESSES.join()), cached: text(), 'task-seconds': text(10), pauses: text(0), plant: text() },
  ...{ asks: { type: 'boolean' }, json: { type: 'boolean' }, keep: { type: 'boolean' } },
};

/** Reads the arguments. Throws the usage if one is wrong. */
export function readArguments() {
  const { values } = parseArgs({ options });
  const number = (key) => (values[key] === undefined ? null : Number(values[key]));
  const asked = {
    ...{ shape: values.shape, steps: number('steps'), kills: number('kills'), seed: number('seed') },
    ...{ continueAfter: number('continue-after'), victims: values.victims.split(','), cached: number('cached') },
    ...{ taskSeconds: number('task-seconds'), pauses: number('pauses'), plant: values.plant ?? null },
    ...{ asks: values.asks === true, json: values.json === true, keep: values.keep === true },
  };
  if (!isSound(asked)) throw new Error(USAGE);
  return asked;
}

function isSound({ shape, steps, kills, seed, continueAfter, victims, cached, taskSeconds, pauses, plant }) {
  const whole = [steps, kills, seed, continueAfter ?? 1, cached ?? 0, taskSeconds, pauses];
  return (
    whole.every((value) => Number.isInteger(value) && value >= 0) &&
    [steps, continueAfter ?? 1, taskSeconds].every((value) => value > 0) &&
    shapes.includes(shape) &&
    (plant === null || plant in PLANTED) &&
    victims.every((one) => PROCESSES.includes(one))
  );
}
