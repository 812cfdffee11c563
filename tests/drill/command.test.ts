import { SlipwayFailure } from '../../src/model/failure.js';
import { command } from '../../tools/drill/command.js';
import type { Drilled } from '../../tools/drill/drill.js';
import { fakeIo, fakePorts } from '../cli/fake-ports.js';
import { HEAD, planOf, sha256 } from '../plan/a-plan.js';
import { expectGolden } from '../support/golden.js';

const plan = { plan: planOf(HEAD), digest: sha256('plan') };
const clean: Drilled = {
  release: { name: 'skiff', version: '1.0' },
  ...{ seed: 7, asked: 3, points: 3, lost: 0, twice: 0, orphans: 0, unfinished: 0, ms: 90_000, kept: null },
  rehearsals: [
    {
      ...{ wanted: 23, missed: [], lost: [], twice: [], orphans: [], unfinished: [], ms: 45_000 },
      killed: [
        { step: 'publish/index/a', phase: 'after', afterMs: 0, victim: 'worker' },
        { step: 'publish/index/a', phase: 'begun', afterMs: 700, victim: 'temporal' },
        { step: 'publish/hub', phase: 'after', afterMs: 0, victim: 'worker' },
      ],
    },
  ],
};
const [one] = clean.rehearsals;
const bad: Drilled = {
  ...clean,
  ...{ asked: 4, lost: 1, twice: 1, kept: '/home/drill' },
  rehearsals: [{ ...one!, lost: ['index a.whl: absent'], twice: ['maven /a.jar'] }],
};

const ran = async (drilled: Drilled, options: Record<string, string | boolean> = {}) => {
  const io = fakeIo();
  const code = await command(
    { args: { file: 'slipway.yaml' }, options: { points: '3', ...options } },
    io,
    fakePorts({ plan }),
    { victims: ['worker', 'web'], drill: () => Promise.resolve(drilled) },
  );
  return { code, printed: io.printed.join('\n') };
};

test('given kills, then a table shows victim, moment and result; any fault makes the exit code 1', async () => {
  const [good, wrong] = [await ran(clean), await ran(bad)];
  expect([good.code, wrong.code]).toEqual([0, 1]);
  expectGolden('cli/drill.txt', `${good.printed}\n\n${wrong.printed}\n`);
});

test('given --json, then it has points, lost, twice, orphans and seed', async () => {
  expect(JSON.parse((await ran(clean, { json: true })).printed)).toMatchObject({
    ...{ points: 3, lost: 0, twice: 0, orphans: 0, seed: 7 },
  });
});

test.each([
  ['points', '0', 'DRILL_NUMBER'],
  ['points', 'many', 'DRILL_NUMBER'],
  ['seed', '-1', 'DRILL_NUMBER'],
  ['rehearsals', '1.5', 'DRILL_NUMBER'],
  ['kill', 'worker,moon', 'DRILL_VICTIM'],
  ['kill', '', 'DRILL_VICTIM'],
])('given --%s %s, then it is refused with %s', async (option, value, code) => {
  const error = await ran(clean, { [option]: value }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SlipwayFailure);
  expect((error as SlipwayFailure).first.code).toBe(code);
});
