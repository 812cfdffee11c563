import { grouped, written } from '../../src/engine/handover/group-cells.js';
import type { CarriedCell } from '../../src/engine/handover/carried-cell.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

const COUNT = 20_000;
/** What goes with the cells: see the relay's own limit. */
const INPUTS = 150_000;
const PAYLOAD = 2 * 1024 * 1024;

/** As large as a plan may be: all of it stands on one step. */
const wide = () =>
  aSkeleton(
    Array.from({ length: COUNT }, (_, at) => ({
      ...(at === 0 ? { id: 'source' } : { id: `tests/unit-${at}/linux-x86_64/py311`, needs: [0] }),
      ...{ expectedMs: 10_000 + ((at * 7919) % 90_000), services: ['store'] },
    })),
    { reuse: true, windows: { control: COUNT } },
  );

const begun = (): Driven => {
  const run = new Driven(wide(), { onFailure: 'hold' });
  run.next();
  run.say({ what: 'known', step: -1, attempt: 1, found: [], unknown: [0], atMs: (run.atMs += 100) });
  run.done('source');
  return run;
};

test.each<[string, (run: Driven) => void]>([
  ['stand on something new', () => undefined],
  [
    'are held',
    (run) => {
      const ending = { outcome: 'failed', problems: [aProblem({ evidence: ['x'.repeat(200)] })] } as const;
      for (let step = 1, no = 10; run.scheduler.held < COUNT - 1; step = (step % (COUNT - 1)) + 1) {
        if (step % 1000 === 0) run.next();
        run.scheduler.apply({ what: 'ended', step, attempt: 1, ending, atMs: (run.atMs += 7), no: no++ });
      }
    },
  ],
])('twenty thousand steps that %s fit into the payload that starts the next generation', (_, meanwhile) => {
  const run = begun();
  meanwhile(run);
  const text = JSON.stringify(run.scheduler.carrier.whole());
  expect(text.length + INPUTS).toBeLessThan(PAYLOAD);
  const next = Scheduler.resumed(JSON.parse(text) as never, { random: () => 0.5 });
  const stand = (scheduler: Scheduler) =>
    scheduler.status().map(({ state, heldAt, because }) => [state, heldAt, because]);
  expect(stand(next).slice(1)).toEqual(stand(run.scheduler).slice(1));
});

test('cells that are grouped are the same when they are written out again', () => {
  const rows = [
    [0, 0],
    [1, 0, 0, 5, null, null, null, { anew: 3, looked: true }],
    [2, 3, 1, 5, 6, 7, 'a note', { heldAtMs: 1040, failures: ['infra'], because: 'b' }],
    [3, 0, 0, 5, null, null, null, { awaitsMs: 1070, because: 'the store does not answer', anew: 3 }],
    [4, 0, 0, 5, null, null, null, { awaitsMs: 1090, because: 'the store does not answer', anew: 3 }],
  ] as unknown as readonly CarriedCell[];
  const travelled = JSON.parse(JSON.stringify(grouped(rows, 1000, 0))) as ReturnType<typeof grouped>;
  expect(travelled.alike).toHaveLength(3);
  expect(written(travelled, 1000)).toEqual(rows);
  expect(grouped(rows, 1000)).toEqual({ cells: rows });
});
