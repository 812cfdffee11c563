import { parseArgs } from 'node:util';
import { Problem } from '../start/problem.mjs';

const MOST_MINUTES = 24 * 60;
const USAGE = 'Type `npm run fuzz -- --minutes 10`, with `--seed 7` to run the same inputs again.';

/** `--minutes N` or `--inputs N`, `--seed S`, `--only READER`. Throws FUZZ_ARGUMENT. */
export function argumentsOf(args) {
  const { values } = parsed(args);
  const inputs = values.inputs === undefined ? Infinity : Number(values.inputs);
  if (!(inputs > 0)) throw wrong(`--inputs ${values.inputs}: a number above 0`);
  const minutes = values.minutes === undefined && inputs < Infinity ? MOST_MINUTES : Number(values.minutes);
  if (!(minutes > 0 && minutes <= MOST_MINUTES))
    throw wrong(`--minutes ${values.minutes ?? 'is missing'}: a number up to ${MOST_MINUTES}`);
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  if (!Number.isInteger(seed)) throw wrong(`--seed ${values.seed}: a whole number`);
  return { minutes, inputs, seed, only: values.only };
}

function parsed(args) {
  try {
    const text = { type: 'string' };
    return parseArgs({ args, options: { minutes: text, inputs: text, seed: text, only: text } });
  } catch (error) {
    throw wrong(error.message);
  }
}

const wrong = (message) => new Problem('FUZZ_ARGUMENT', message, USAGE, { exit: 2 });
