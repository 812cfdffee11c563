import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROWS = pathToFileURL(join(__dirname, '..', '..', 'bench', 'rows.mjs')).href;

/** What an expression over the functions of bench/rows.mjs gives. */
function evaluated(expression: string): unknown {
  const script = `
    import * as rows from '${ROWS}';
    const { atMost, overReferenceAtMost, ratioAtMost, row } = rows;
    console.log(JSON.stringify(${expression}));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

test('given a ratio, then it is judged as measured and not as printed', () => {
  const told = evaluated(`row('x', 1104, 'ms', { reference: 1000, goal: ratioAtMost(1.1) })`);
  expect(told).toMatchObject({ ratio: 1.1, reached: false });
});

test('given a figure below zero, then it does not reach its goal, and the row names the reason', () => {
  const told = evaluated(`row('x', -423, 'ms', { goal: atMost(500) })`);
  expect(told).toMatchObject({ reached: false, goal: '≤ 500 ms; below zero: its clock starts late' });
});

test('given paired measurements, then a goal above a reference is judged by the differences of the pairs', () => {
  const [alone, paired] = evaluated(`[undefined, 600].map((over) =>
    row('x', 1400, 'ms', { reference: 1000, goal: overReferenceAtMost(500), over }))`) as unknown[];
  expect(alone).toMatchObject({ reached: true, goal: '≤ reference + 500 ms' });
  expect(paired).toMatchObject({ reached: false });
});

test('given no value, then nothing is judged', () => {
  expect(evaluated(`row('x', null, 'ms', { reference: 1, goal: ratioAtMost(1) })`)).toMatchObject({
    value: null,
    ratio: null,
    reached: null,
  });
});
