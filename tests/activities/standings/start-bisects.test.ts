import { join } from 'node:path';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { BisectInput } from '../../../src/model/bisect.js';
import { records } from '../../../src/model/run-folder.js';
import { newHome } from '../../support/run-body.js';
import { aClusterTest, aNightRan, type Left } from './a-run.js';

const FAILED = { code: 'TEST_FAILED', class: 'product', exit: 7, returnCode: 40 } as const;
const commitOf = (day: number): string => `${day}`.padEnd(40, 'c');
const FILE = '/project/release/slipway.yaml';

/** A server on which bisects start. */
function aServer() {
  const started: { readonly workflowId: string; readonly input: BisectInput }[] = [];
  const start = async (workflowId: string, input: BisectInput) => void started.push({ workflowId, input });
  return { started, start };
}

interface Nights {
  readonly home: string;
  readonly server: ReturnType<typeof aServer>;
  readonly asked?: boolean;
  readonly file?: string | null;
}

/** Runs these tests as the night of a day. */
async function night(
  day: number,
  left: Readonly<Record<string, Left>>,
  { home, server, asked = true, file = FILE }: Nights,
) {
  if (file !== null) await createDirectoryStore(join(home, 'store')).create(records.file(`run-${day}`), { file });
  return aNightRan({
    ...{
      home,
      day,
      bisects: server,
      left: new Map(Object.entries(left).map(([name, one]) => [aClusterTest(name), one])),
    },
    policy: asked ? { startsBisects: true } : {},
  });
}

test('given a test that passed, when it fails, then a bisect of the commits of both nights starts', async () => {
  const where = { home: await newHome(), server: aServer() };
  await night(1, { spread: [{}] }, where);
  const { made } = await night(2, { spread: [FAILED] }, where);
  expect(where.server.started).toEqual([
    {
      workflowId: `bisect/night/spread/${commitOf(2).slice(0, 8)}`,
      input: expect.objectContaining({
        file: FILE,
        profile: 'local',
        test: 'spread',
        good: commitOf(1),
        bad: commitOf(2),
      }),
    },
  ]);
  expect(made.findings).toEqual([]);
});

test('given the step again after its worker died, then no bisect starts twice', async () => {
  const where = { home: await newHome(), server: aServer() };
  await night(1, { spread: [{}] }, where);
  await night(2, { spread: [FAILED] }, where);
  await night(2, { spread: [FAILED] }, where);
  expect(where.server.started).toHaveLength(1);
});

test.each<[what: string, second: Left, more: Partial<Nights>]>([
  ['a failure of the infrastructure', [{ code: 'NODES_MISSING', class: 'infra', returnCode: 33 }], {}],
  ['a pass', [{}], {}],
  ['a failure, and a file that starts none', [FAILED], { asked: false }],
])('given %s, then no bisect starts', async (_what, second, more) => {
  const where = { home: await newHome(), server: aServer(), ...more };
  await night(1, { spread: [{}] }, where);
  const { made } = await night(2, { spread: second }, where);
  expect(where.server.started).toEqual([]);
  expect(made.findings).toEqual([]);
});

test('given twelve tests that turn failing and one bisect today, then nine start, and three are named', async () => {
  const where = { home: await newHome(), server: aServer() };
  const names = Array.from({ length: 12 }, (_, at) => `t${String(at).padStart(2, '0')}`);
  const all = (left: Left) => Object.fromEntries(names.map((name) => [name, left]));
  await createDirectoryStore(join(where.home, 'store')).create(records.bisects('2026-11-03', 1), { run: 'by hand' });
  await night(1, all([{}]), where);
  const { made } = await night(2, all([FAILED]), where);
  expect(where.server.started.map(({ input }) => input.test)).toEqual(names.slice(0, 9));
  expect(made.findings!.map(({ code, subject }) => `${code} ${subject}`)).toEqual(
    names.slice(9).map((name) => `BISECT_NOT_STARTED ${name}`),
  );
  expect(made.findings![0]!.next).toBe(
    `Type \`slipway bisect t09 FILE --good ${commitOf(1).slice(0, 12)} --bad ${commitOf(2).slice(0, 12)} --profile local\`.`,
  );
});

test('given a run without a record of its release file, then the finding says so', async () => {
  const where = { home: await newHome(), server: aServer(), file: null };
  await night(1, { spread: [{}] }, where);
  const { made } = await night(2, { spread: [FAILED] }, where);
  expect(made.findings).toMatchObject([{ why: expect.stringContaining('no record of its release file') }]);
});
