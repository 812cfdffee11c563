import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFleetFile } from '../../src/adapters/facts/fleet-file.js';
import { simulate } from '../../src/cli/commands/simulate.js';
import type { Ports } from '../../src/cli/ports.js';
import { SlipwayFailure } from '../../src/model/failure.js';
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

async function told(options: Record<string, string | boolean>, read?: Ports['fleet']): Promise<FakeIo> {
  const io = fakeIo();
  const ports = {
    ...fakePorts({ plan: { plan, digest: sha256('p') }, fleet }),
    ...(read && { fleet: read }),
    queues: async () => someFacts().queues,
  };
  await simulate.run({ args: {}, options: { profile: 'local', ...options } }, io, ports);
  return io;
}
const text = ({ printed }: FakeIo): string => `${printed.join('\n')}\n`;

test('given a fleet, then the output shows waits and what one more worker saves', async () => {
  expectGolden('cli/simulate.txt', text(await told({ fleet: 'fleet.yaml' })));
});

test('given several fleet sizes and releases, then they are compared', async () => {
  expectGolden(
    'cli/simulate-many.txt',
    text(await told({ fleet: 'fleet.yaml', workers: '1,2', releases: '3', every: '1m' })),
  );
});

test('given --json, then it has the same figures', async () => {
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
  ['text for workers', { workers: 'many' }, 'NOT_A_COUNT'],
  ['an empty value for workers', { workers: '' }, 'NOT_A_COUNT'],
  ['no release', { workers: '1', releases: '0' }, 'NOT_A_COUNT'],
  ['too many releases', { workers: '1', releases: '10001' }, 'NOT_A_COUNT'],
  ['a time without a unit', { workers: '1', every: '15' }, 'NOT_A_COUNT'],
])('given %s, then it is refused with a code', async (_, options, code) => {
  await expect(told(options)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code })]),
  });
});

const MISTAKEN: Readonly<Record<string, string>> = {
  'zero workers': 'queues:\n  control: { workers: 0 }\n  linux-x86_64: { workers: 0 }\n',
  'a queue misspelt, and one that nobody knows':
    'queues:\n  control: { workers: 1 }\n  linux-x86-64: { workers: 1 }\n  moon: { workers: 1 }\n',
  'numbers that are none': `queues:
  control: { workers: -1 }
  linux-x86_64: { workers: 1.5, slots: 0 }
  gpu: { workers: 999999999999999999999 }
  a: { workers: "4" }
  b: { workers: .inf, slots: .nan }
  c: 4
`,
  'keys that are none': `queues:
  control: { wrokers: 1 }
  "no name!": { workers: 1 }
durations: { runComand: 5m, steps/a: 5m, runTest: 150%, buildWheel: 5, takeSdist: -5m }
extra: 1
`,
  'keys twice':
    'queues:\n  control: { workers: 1 }\n  control: { workers: 2 }\ndurations: { runTest: 5m, runTest: 6m }\n',
  'no queue at all': 'queues: {}\n',
  nothing: '',
  'a comment': '# later\n',
  'a list': '[1, 2]\n',
  'no YAML': 'queues: { control: { workers: 1 }\n  x: [}\n',
  'no text': '\0\u0001',
};

test('given mistakes in a fleet file, then all are reported at once with their lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-simulate-'));
  const found = Object.entries(MISTAKEN).map(async ([name, content]) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, content);
    const answer = told({ fleet: file }, () => readFleetFile(file));
    const failure = await answer.catch((error: unknown) => error as SlipwayFailure);
    const problems = failure instanceof SlipwayFailure ? failure.problems : [];
    return [
      `# ${name}`,
      ...problems.map(
        ({ place, code, message, next }) =>
          `${place?.line ?? '-'}:${place?.column ?? '-'} ${code} ${message}\n    ${next}`,
      ),
    ];
  });
  expectGolden('cli/simulate-mistakes.txt', `${(await Promise.all(found)).flat().join('\n')}\n`);
});
