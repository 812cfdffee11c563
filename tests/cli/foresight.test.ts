import { changes } from '../../src/cli/render/changes.js';
import { RunForecaster } from '../../src/cli/run-forecaster.js';
import { status as statusCommand } from '../../src/cli/commands/status.js';
import { liveLines } from '../../src/cli/render/live.js';
import { toGo } from '../../src/cli/render/outlook.js';
import { colours } from '../../src/cli/render/paint.js';
import type { Digest } from '../../src/model/digest.js';
import type { Durations } from '../../src/model/durations.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan } from '../../src/model/plan.js';
import { aStep as aPlanned, RETRY } from '../engine/a-skeleton.js';
import { expectGolden } from '../support/golden.js';
import { aRun, aStep, START } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const NOW = START + 20_000;
const DIGEST: Digest = aRun().plan!;

/** A source, two wheels and their test, and a lock that tries again beside them. */
const PLANNED = [
  { id: 'source', needs: [] },
  { id: 'wheels/a', needs: ['source'] },
  { id: 'wheels/b', needs: ['source'] },
  { id: 'deps/lock', needs: ['source'] },
  { id: 'tests/all', needs: ['wheels/a', 'wheels/b', 'deps/lock'] },
].map((rough) => ({ ...aPlanned({ id: rough.id }), ...rough, params: {}, retry: RETRY }));
const plan = {
  release: { name: 'skiff', version: '1.2.0' },
  profile: { name: 'local', rehearsal: true },
  steps: PLANNED,
  dropped: [],
} as unknown as Plan;
const TOOK = { source: 5000, 'wheels/a': 60_000, 'wheels/b': 30_000, 'deps/lock': 2000, 'tests/all': 10_000 };
const durations: Durations = {
  ...{ release: 'skiff', run: 'before', at: '2026-11-20T12:00:00.000Z' },
  classes: [{ kind: 'runCommand', on: 'control', size: 'small' }],
  steps: Object.fromEntries(Object.entries(TOOK).map(([id, ms]) => [id, [0, ms] as const])),
};

const run = (more: Partial<RunStatus> = {}): RunStatus =>
  aRun({
    steps: [
      aStep('source', 'runCommand', 'done', { at: 0, ms: 5000 }),
      aStep('wheels/a', 'runCommand', 'running', { at: 5000 }),
      aStep('wheels/b', 'runCommand', 'done', { at: 5000, ms: 12_000 }),
      aStep('deps/lock', 'runCommand', 'backing off', {
        ...{ at: 5000, attempt: 2, againAt: NOW + 3000, because: 'infra: try again 2 of 5' },
      }),
      aStep('tests/all', 'runCommand', 'waiting'),
    ],
    ...more,
  });

async function* bytes(): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(JSON.stringify(plan));
}
const store = { ...fakeStore(), has: async (digest: Digest) => digest === DIGEST, get: async () => bytes() };
const queue = { window: 4, diskMiB: 1, can: ['host' as const], tools: [] };
const ports = { ...fakePorts({ store, durations: [durations] }), queues: async () => ({ control: queue }) };

async function ready(status: RunStatus): Promise<RunForecaster> {
  const foresight = new RunForecaster(ports);
  await foresight.ready(status);
  return foresight;
}

test('given a running release, then it shows when it will end, its critical path, and whether a retry delays it', async () => {
  const forecast = (await ready(run())).look(run(), NOW);
  const frame = { now: NOW, columns: 140, rows: 40, paint: colours(false), forecast };
  const lines = changes(null, run(), NOW, forecast).filter(({ state }) => state === 'backing off');
  expectGolden('cli/foresight.txt', `${[...liveLines(run(), frame), '', JSON.stringify(lines[0])].join('\n')}\n`);
});

test.each<[string, Partial<RunStatus>]>([
  ['ended', { state: 'ended' }],
  ['is being cancelled', { state: 'cancelling' }],
  ['is being planned', { state: 'planning', plan: null, steps: [] }],
  ['has its plan in another store', { plan: `sha256:${'00'.repeat(32)}` }],
])('given a run that %s, then there is no forecast', async (_, more) => {
  expect((await ready(run(more))).look(run(more), NOW)).toBeNull();
});

test.each<
  [
    string,
    { leftMs: number; unknown: number; people: number; spreadMs?: number; goneMs?: number; since?: number },
    string,
  ]
>([
  ['all is known', { leftMs: 61_000, unknown: 0, people: 0 }, 'about 1 min 01 s to go'],
  [
    'steps vary',
    { leftMs: 61_000, unknown: 0, people: 0, spreadMs: 24_000 },
    'about 1 min 01 s to go, nine times in ten at most 1 min 25 s',
  ],
  ['steps vary very little', { leftMs: 61_000, unknown: 0, people: 0, spreadMs: 2000 }, 'about 1 min 01 s to go'],
  ['an action is needed', { leftMs: 61_000, unknown: 0, people: 1 }, 'about 1 min 01 s to go, once 1 action is sent'],
  [
    'some steps were never measured',
    { leftMs: 61_000, unknown: 2, people: 0 },
    'at least 1 min 01 s to go (2 steps never measured)',
  ],
  [
    'a step runs longer than measured',
    { leftMs: 3300, unknown: 0, people: 0, spreadMs: 2600, goneMs: 482_000 },
    'at least 3.3 s to go (steps/x has run for 8 min 02 s, longer than usual)',
  ],
  [
    'a step that runs was never measured',
    { leftMs: 3300, unknown: 1, people: 0, spreadMs: 2600, goneMs: 482_000 },
    'at least 3.3 s to go (steps/x has run for 8 min 02 s, 1 step never measured)',
  ],
  [
    'the last step runs longer than measured',
    { leftMs: 0, unknown: 0, people: 0, goneMs: 482_000 },
    'nobody knows how long yet, steps/x has run for 8 min 02 s, longer than usual',
  ],
  [
    'a step waits for a service',
    { leftMs: 97_000, unknown: 0, people: 0, since: NOW - 540_000 },
    'unknown: waits for docker.io since 9 min',
  ],
  ['no step was measured', { leftMs: 0, unknown: 2, people: 0 }, 'nobody knows how long yet, 2 steps never measured'],
])(
  'given that %s, then the time to go is printed accordingly',
  (_, { leftMs, unknown, people, spreadMs = 0, goneMs, since }, expected) => {
    const path = { ms: 0, steps: [], recoverable: 0 };
    const endAtMs = NOW + leftMs;
    const overdue = goneMs === undefined ? null : { id: 'steps/x', ms: goneMs };
    const waits =
      since === undefined ? null : { service: 'docker.io', since, steps: 1, message: 'it is down', next: 'Wait.' };
    const found = {
      endAtMs,
      likelyByMs: endAtMs + spreadMs,
      unknown,
      overdue,
      people,
      waits,
      path,
      slackMs: new Map(),
    };
    expect(toGo(found, NOW)).toBe(expected);
  },
);

test('given a store that does not answer, then the run is shown without a forecast', async () => {
  const away = { ...ports, durations: () => Promise.reject(new Error('away')) };
  const foresight = new RunForecaster(away);
  await foresight.ready(run());
  expect(foresight.look(run(), NOW)).toBeNull();
});

test('given status --json, then it has the forecast as data', async () => {
  const io = fakeIo();
  await statusCommand.run({ args: {}, options: { json: true } }, io, {
    ...ports,
    client: async () => fakeClient([[run()]]),
    env: { TEMPORAL_ADDRESS: 'x' },
  });
  const { outlook } = JSON.parse(io.printed[0]!) as { outlook: Record<string, unknown> };
  expect(outlook).toMatchObject({ unknown: 0, people: 0, path: { steps: ['source', 'wheels/a', 'tests/all'] } });
  expect(Object.keys(outlook['slackMs'] as object)).toEqual(['wheels/a', 'deps/lock', 'tests/all']);
});

test('given slots and windows, then the forecast runs as many steps at once as there are slots', async () => {
  const steps = PLANNED.map(({ id }) => aStep(id, 'runCommand', id === 'source' ? 'done' : 'waiting', { ms: 5000 }));
  const [known, unknown] = [run({ steps, slots: { control: 1 }, windows: { control: 4 } }), run({ steps })];
  expect((await ready(known)).look(known, NOW)!.endAtMs - NOW).toBe(60_000 + 30_000 + 2000 + 10_000);
  expect((await ready(unknown)).look(unknown, NOW)!.endAtMs - NOW).toBe(60_000 + 10_000);
});
