import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import type { ClusterRequest, Clusters } from '../../src/activities/clusters/ports.js';
import type { Programs } from '../../src/activities/ports.js';
import { OWN_PATHS, createConfine, Reached } from '../../src/activities/step/confine.js';
import type { StepContext } from '../../src/activities/step/ports.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createClusters } from '../../src/adapters/clusters/index.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { packageRoot } from '../../src/adapters/home.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Artifact } from '../../src/model/artifact.js';
import type { Problem } from '../../src/model/failure.js';
import type { StepOf } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import type { ClusterTestParams } from '../../src/model/tests/cluster.js';
import { aResult, aStep } from './run-body.js';

const SHORT_MS = 5 * 60_000;

/** Parameters of a test on one local node, with what a test says otherwise. */
export const rayParams = (more: Partial<ClusterTestParams> & { readonly run?: string } = {}): ClusterTestParams => {
  const { run = 'true', ...own } = more;
  return {
    label: 'night-1',
    title: null,
    cluster: { name: 'one', manager: { by: 'local' }, nodes: 1, cpus: 2, upMs: SHORT_MS },
    wait: { nodes: own.cluster?.nodes ?? 1, forMs: SHORT_MS },
    by: 'job',
    prepare: null,
    test: { run, limitMs: SHORT_MS },
    env: {},
    folder: null,
    long: false,
    result: null,
    artifact: null,
    alerts: [],
    python: 'cp311',
    smoke: false,
    pool: null,
    owner: null,
    about: {},
    ...own,
  };
};

export const rayStep = (more: Parameters<typeof rayParams>[0] = {}): StepOf<'runOnCluster'> =>
  aStep('runOnCluster', rayParams(more), { id: 'tests/spread' });

/** The body of the kind over real managers. */
export const rayBody = (home: string) => {
  const programs = createPrograms({ running: join(home, 'running') });
  return bodyOn(createClusters(programs, createDocker(() => null).machines));
};

/** The body of the kind over clusters of the test's own. */
export const bodyOn = (clusters: Clusters) =>
  makeBodies(['runOnCluster'], { archives: createArchives(), clusters }).runOnCluster;

/** The lock of Ray as a result that a test needs, in the store of the home. */
export async function rayLock(home: string): Promise<Result> {
  const file = join(packageRoot(), 'tools', 'ray-requirements.txt');
  const { digest, size } = await createDirectoryStore(join(home, 'store')).putFile(file);
  const lock: Artifact = { digest, size, kind: 'lock', name: 'ray.txt', labels: { python: 'cp311' } };
  return aResult(aStep('compileLock', {} as never, { id: 'deps/ray/cp311' }), { artifacts: [lock], note: '' });
}

/** The problem of a test that does not pass. */
export const problemOf = (ended: Promise<unknown>): Promise<Problem> =>
  ended.then(
    () => Promise.reject(new Error('the test passed')),
    (error: { problems?: readonly Problem[] }) => error.problems?.[0] ?? Promise.reject(error as Error),
  );

/** Command lines of living processes that hold a text. */
export const processesWith = (text: string): readonly string[] => pidsWith(text).map((pid) => commandLine(String(pid)));

/** Ids of living processes whose command line holds a text. */
export const pidsWith = (text: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
    .map(Number);

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Surroundings whose logs call `act` once, when a line is in them as a whole, in however many pieces it came. */
export const atLine = (line: string, act: () => void): Partial<StepContext> => {
  let acted = false;
  return {
    openLog: () => {
      let said = '';
      return {
        write: (text) => {
          said += text;
          if (acted || !`\n${said}`.includes(`\n${line}\n`)) return;
          acted = true;
          act();
        },
        note: () => undefined,
        tail: (lines = 20) => said.split('\n').slice(-lines),
        close: () => Promise.resolve(),
        leave: () => Promise.resolve(),
        hide: () => undefined,
        scrub: (text) => text,
        firstError: () => [],
        forgetError: () => undefined,
        ready: () => undefined,
      };
    },
  };
};

/** A request for a cluster of one local node, below the folders of an attempt. */
export function aRequest(home: string): {
  readonly request: ClusterRequest & { readonly programs: Programs };
  readonly folder: string;
  /** Plain facts of its sandbox. */
  readonly facts: { readonly step: object; readonly workspace: object; readonly cache: string };
} {
  const workspace = {
    folder: join(home, 'work'),
    files: join(home, 'files'),
    home: join(home, 'home'),
    tmp: join(home, 'tmp'),
  };
  for (const path of Object.values(workspace)) mkdirSync(path, { recursive: true });
  const programs = createPrograms({ running: join(home, 'running') });
  const { noSandbox } = programs;
  const step = { id: 'tests/spread', kind: 'runOnCluster', params: {} } as const;
  const facts = { step, workspace, cache: join(home, 'cache'), paths: OWN_PATHS, noSandbox, accepted: true };
  const folder = join(workspace.folder, 'test');
  return {
    folder,
    facts: { step, workspace, cache: join(home, 'cache') },
    request: {
      programs,
      spec: rayParams().cluster,
      id: 'an-attempt',
      folder,
      venv: join(packageRoot(), '.tools', 'ray'),
      env: { PATH: '/usr/bin:/bin', HOME: workspace.home, TMPDIR: workspace.tmp, LANG: 'C.UTF-8' },
      confine: createConfine({ ...facts, worker: 'test@here', reached: new Reached() }),
      containers: null,
      signal: new AbortController().signal,
      log: () => undefined,
    },
  };
}
