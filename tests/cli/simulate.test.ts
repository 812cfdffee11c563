import { simulate } from '../../src/cli/commands/simulate.js';
import type { Fleet } from '../../src/model/fleet.js';
import { HEAD, planOf, sha256, someFacts } from '../plan/a-plan.js';
import { expectGolden } from '../support/golden.js';
import { fakeIo, fakePorts, type FakeIo } from './fake-ports.js';

const plan = planOf(
  `${HEAD}steps:\n  a: { run: 'true' }\n  b: { run: 'true' }\n  c: { needs: [steps/a, steps/b], run: 'true' }\n`,
);
const fleet: Fleet = {
  queues: { control: { workers: 1, slots: 2 }, 'linux-x86_64': { workers: 1, slots: 1 } },
  durations: {
    runCommand: { ms: 60_000 },
    proveQueue: { ms: 1000 },
    fetchSource: { ms: 5000 },
    takeSdist: { ms: 500 },
  },
};

async function told(options: Record<string, string | boolean>, with_ = fleet): Promise<FakeIo> {
  const io = fakeIo();
  const ports = {
    ...fakePorts({ plan: { plan, digest: sha256('p') }, fleet: with_ }),
    queues: async () => someFacts().queues,
  };
  await simulate.run({ args: {}, options: { profile: 'local', ...options } }, io, ports);
  return io;
}
const text = ({ printed }: FakeIo): string => `${printed.join('\n')}\n`;

test('who waits for whom, and which worker is worth its price', async () => {
  expectGolden('cli/simulate.txt', text(await told({ fleet: 'fleet.yaml' })));
});

test('several sizes of a fleet are compared; releases follow each other', async () => {
  expectGolden(
    'cli/simulate-many.txt',
    text(await told({ fleet: 'fleet.yaml', workers: '1,2', releases: '3', every: '1m' })),
  );
});

test('--json brings the same figures', async () => {
  const { printed } = await told({ fleet: 'fleet.yaml', json: true });
  const { simulations } = JSON.parse(printed[0]!) as { simulations: readonly Record<string, unknown>[] };
  expect(simulations).toHaveLength(1);
  expect(simulations[0]).toMatchObject({
    releases: 1,
    oneMore: [{ queue: 'linux-x86_64', savesMs: 60_000 }, { queue: 'control' }],
  });
});

test.each<[string, Record<string, string>, string]>([
  ['no fleet', {}, 'FLEET_MISSING'],
  ['no worker', { workers: '0' }, 'FLEET_LACKS_QUEUE'],
  ['half a worker', { workers: '0.5' }, 'NOT_A_COUNT'],
  ['words for workers', { workers: 'many' }, 'NOT_A_COUNT'],
  ['nothing for workers', { workers: '' }, 'NOT_A_COUNT'],
  ['no release', { workers: '1', releases: '0' }, 'NOT_A_COUNT'],
  ['too many releases', { workers: '1', releases: '10001' }, 'NOT_A_COUNT'],
  ['a time without a unit', { workers: '1', every: '15' }, 'NOT_A_COUNT'],
])('%s: a clear answer', async (_, options, code) => {
  await expect(told(options)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code })]),
  });
});

test('a fleet file with zero workers names each queue that lacks them', async () => {
  const empty = { ...fleet, queues: { control: { workers: 0, slots: 1 } } };
  await expect(told({ fleet: 'fleet.yaml' }, empty)).rejects.toMatchObject({
    problems: [{ path: 'queues.control' }, { path: 'queues.linux-x86_64' }],
  });
});
