// `npm run bench`: figures of this machine, now. Medians and ratios of one run; nothing is asserted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { manySteps } from './many-steps.mjs';
import { median, timed } from './measure.mjs';
import { example } from './example.mjs';
import { gigabyte } from './gigabyte.mjs';
import { operators } from './operators/index.mjs';
import { planRay } from './plan-ray.mjs';
import { simulate } from './simulate.mjs';
import { sizes } from './sizes.mjs';
import { store } from './store.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const slipway = (...args) => [process.execPath, join(root, 'bin', 'slipway.js'), ...args];
const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
const tell = (name, value, against = '') => console.log(`${name.padEnd(44)} ${value.padStart(10)}  ${against}`);
const ms = (value) => `${value.toFixed(0)} ms`;

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, runs: { type: 'string' } },
  allowPositionals: true,
});
const runs = Number(values.runs ?? 3);

/** `npm run bench -- operators` measures that part alone. */
const PARTS = {
  start: async () => {
    const node = await median(9, () => timed([process.execPath, '-e', '0']));
    const help = await median(9, () => timed(slipway('--help')));
    tell('node -e 0', ms(node));
    tell('slipway --help', ms(help), 'at most 150 ms wanted');
  },
  plan: async () => {
    const file = join(folder, 'slipway.yaml');
    writeFileSync(file, manySteps(1000));
    const plan = await median(5, () => timed(slipway('plan', file)));
    tell('slipway plan, 1,000 steps', ms(plan), 'at most 300 ms wanted');
    await planRay({ root, tell });
  },
  simulate: () => simulate({ root, tell }),
  sizes: () => sizes({ root, tell }),
  store: () => store({ root, folder, tell, runs }),
  gigabyte: () => gigabyte({ root, folder, tell }),
  example: () => example({ root, folder, tell, runs }),
  operators: () => operators({ root, folder, tell, runs: Math.max(5, Number(values.runs ?? 7)) }),
};
const QUICK = ['start', 'plan', 'simulate', 'sizes'];

try {
  const wanted = positionals.length > 0 ? positionals : values.quick ? QUICK : Object.keys(PARTS);
  const strange = wanted.filter((name) => !(name in PARTS));
  if (strange.length > 0) throw new Error(`no part ${strange.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  for (const name of wanted) await PARTS[name]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
