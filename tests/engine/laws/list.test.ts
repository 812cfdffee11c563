/** @slow */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, SEED } from '../../support/fixed-seed.js';
import { isWorld, rowOf, rowsOf } from './found.js';
import { LAWS } from './list.js';
import { search } from './search.js';

const SHRINK_MS = 60_000;

test.each(LAWS)('$id: $says', (law) => {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const { find } = search(law, { seed: SEED, runs: law.runs, shrinkMs: SHRINK_MS, clock: Date.now, tell });
  if (find !== null) throw new Error(`${find.cause}\nAdd this row to tests/engine/laws/found.jsonl:\n${rowOf(find)}`);
});

const rows = rowsOf(readFileSync(join(__dirname, 'found.jsonl'), 'utf8'), LAWS, 'tests/engine/laws/found.jsonl');

test.each(rows.map((row, at) => ({ ...row, id: row.law.id, line: at + 1 })))(
  'found world $line, $id: $found',
  ({ law, world }) => law.holds(world),
);

test.each(LAWS)('$id: given a world stored as JSON, then it is accepted as a world', (law) => {
  for (const world of fc.sample(law.worlds, { seed: SEED, numRuns: 20 }))
    expect(isWorld(law, JSON.parse(JSON.stringify(world)))).toBe(true);
});

test('given all laws, then their ids are unique', () => {
  expect(new Set(LAWS.map(({ id }) => id)).size).toBe(LAWS.length);
});

test.each(LAWS)('$id: given malformed worlds, then they are rejected without a crash', (law) => {
  for (const nonsense of [null, 7, 'x', {}, [null], [[]], { steps: null, graph: [null], said: {} }])
    expect(isWorld(law, nonsense)).toBe(false);
});
