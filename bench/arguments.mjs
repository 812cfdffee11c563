import { parseArgs } from 'node:util';

export const USAGE = (parts) => `npm run bench -- [PART…] [--quick] [--runs N] [--steps N] [--before PATH] [--json]

  PART       measure these parts alone: ${parts.join(', ')}
  --quick    only what takes seconds
  --runs N   how often each figure is taken; default 3
  --steps N  steps of the real work; default 2000
  --before PATH  an older checkout, set up: upgrade and upgradeSteps compare this one with it
  --json     print {rows: [{name, value, unit, reference, ratio, goal, reached}]} and nothing else

Without --json the rows also go into bench/results.md.`;

const QUICK = ['start', 'plan', 'simulate', 'sizes'];

/** Which parts, and how. A `problem` where the arguments make no sense. */
export function readArguments(argv, known) {
  const names = Object.keys(known);
  const problem = (code, message) => ({ problem: { code, message, next: 'Type `npm run bench -- --help`.' } });
  let values, positionals;
  try {
    ({ values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true }));
  } catch (error) {
    return problem('NO_SUCH_OPTION', error.message.split('\n')[0]);
  }
  const strange = positionals.filter((name) => !names.includes(name));
  if (strange.length > 0)
    return problem('NO_SUCH_PART', `no part ${strange.join(', ')}; there are ${names.join(', ')}`);
  for (const name of ['runs', 'steps'])
    if (values[name] !== undefined && !/^[1-9]\d{0,4}$/.test(values[name]))
      return problem('NO_SUCH_NUMBER', `--${name} ${values[name]} is not a number from 1 to 99999`);
  return {
    parts: positionals.length > 0 ? positionals : values.quick ? QUICK : names,
    ...{ quick: values.quick ?? false, json: values.json ?? false, help: values.help ?? false },
    runs: values.runs === undefined ? null : Number(values.runs),
    steps: Number(values.steps ?? 2000),
    before: values.before ?? null,
  };
}

const OPTIONS = {
  ...{ quick: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  ...{ runs: { type: 'string' }, steps: { type: 'string' }, before: { type: 'string' } },
};
