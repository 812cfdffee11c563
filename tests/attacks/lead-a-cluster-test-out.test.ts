import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import type { Clusters } from '../../src/activities/clusters/ports.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { records } from '../../src/model/run-folder.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { type FakeCluster, fakeClusters } from '../activities/clusters/fake-cluster.js';
import { rayParams } from '../support/a-cluster-test.js';
import { aStep, newHome, RUN, runBody } from '../support/run-body.js';

const CANARY = 'canary-of-the-home-9b1e';
const LINES = { up: '', nodes: '', put: '', get: '', run: '', down: '' };

interface Tried {
  /** Files beside the keys, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly outcome: Outcome | null;
}

/** Runs a test on a cluster, of which a program does `acts` in the folder of the attempt: when Ray starts, or as the test itself. */
async function tried(
  acts: { readonly starts?: Act; readonly tests?: Act },
  more: Parameters<typeof rayParams>[0] = {},
): Promise<Tried> {
  const home = await newHome();
  const keys = join(home, 'keys');
  mkdirSync(keys);
  writeFileSync(join(keys, 'control.key'), CANARY);
  writeFileSync(join(keys, 'result.json'), JSON.stringify({ key: CANARY }));
  const fake: FakeCluster = { answers: { run: (_, folder) => (acts.tests?.(folder, keys), 0) } };
  const { clusters } = fakeClusters(fake);
  const up: Clusters['up'] = (request) => {
    acts.starts?.(request.folder, keys);
    return clusters.up(request);
  };
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters: { up } });
  const cluster = { ...rayParams().cluster, manager: { by: 'command', lines: LINES } } as const;
  const step = aStep('runOnCluster', rayParams({ cluster, ...more }), { id: 'tests/spread' });
  await runBody(runOnCluster, step, { home }).catch(() => undefined);
  const record = records.outcome('skiff', RUN, 'spread', 1, 1);
  return {
    keys: Object.fromEntries(readdirSync(keys).map((name) => [name, readFileSync(join(keys, name), 'utf8')])),
    outcome: await createDirectoryStore(join(home, 'store')).read<Outcome>(record),
  };
}

type Act = (folder: string, keys: string) => void;

const UNTOUCHED = { 'control.key': CANARY, 'result.json': JSON.stringify({ key: CANARY }) };

const FOLDER = 'a link in place of its folder';

/** A program of the nodes runs code of the tested wheel before the test begins. */
const STARTS: readonly (readonly [string, Act])[] = [
  ...['run.env', 'run.line', 'run.sh'].flatMap((name): (readonly [string, Act])[] => [
    [`a link to a key at ${name}`, (folder, keys) => symlinkSync(join(keys, 'control.key'), join(folder, name))],
    [`a link to a new file at ${name}`, (folder, keys) => symlinkSync(join(keys, 'new'), join(folder, name))],
  ]),
  [
    FOLDER,
    (folder, keys) => {
      renameSync(folder, `${folder}-moved`);
      symlinkSync(keys, folder);
    },
  ],
];

test.each(STARTS)(
  '[C3] given a node that leaves %s, when scripts are written, then no file outside is',
  async (what, starts) => {
    const { keys, outcome } = await tried({ starts });
    expect(keys).toEqual(UNTOUCHED);
    expect(outcome?.code).toBe(what === FOLDER ? 'LINK_LEADS_OUT' : null);
  },
);

test('[C3] given a node that leaves a pipe in place of a script, when scripts are written, then the worker does not wait', async () => {
  const { outcome } = await tried({ starts: (folder) => execFileSync('mkfifo', [join(folder, 'run.env')]) });
  expect(outcome?.code).toBe(null);
});

test.each(['control.key', 'new'])(
  '[C3] given a test that leaves a link to %s for its packed metrics, when they are packed, then nothing is written through it',
  async (name) => {
    const { keys, outcome } = await tried({
      tests: (folder, to) => {
        writeFileSync(join(folder, 'out', 'metrics.json'), '{}');
        symlinkSync(join(to, name), join(folder, 'out', 'metrics.json.gz'));
      },
    });
    expect(keys).toEqual(UNTOUCHED);
    expect(outcome).not.toBeNull();
  },
);

test('[C3] given a test that replaces its folder of results by a link, when it is judged, then no record has a file of the target', async () => {
  const tests: Act = (folder, keys) => {
    rmSync(join(folder, 'out'), { recursive: true });
    symlinkSync(keys, join(folder, 'out'));
  };
  const { outcome } = await tried({ tests }, { result: 'r.json' });
  expect(outcome).toMatchObject({ code: 'LINK_LEADS_OUT', results: null });
  expect(JSON.stringify(outcome)).not.toContain(CANARY);
});
