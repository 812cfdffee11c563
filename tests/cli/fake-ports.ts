import type { IndexCopies } from '../../src/cli/cache/open-rebuild.js';
import type { Pointers, Store } from '../../src/activities/ports.js';
import type { Io } from '../../src/cli/command.js';
import type { PolicyPort, Ports, ServicesPort, TestsPort } from '../../src/cli/ports.js';
import type { Recent, ReleaseClient, Schedules } from '../../src/client/index.js';
import type { Durations } from '../../src/model/durations.js';
import { fail } from '../../src/model/failure.js';
import type { Fleet } from '../../src/model/fleet.js';
import type { Action } from '../../src/model/actions.js';
import { aProblem } from '../engine/a-skeleton.js';
import type { Proofs } from '../../src/model/proof.js';
import type { RunStatus } from '../../src/model/messages.js';
import { noRuns } from '../../src/cli/errors.js';
import { everyText } from '../../src/model/rhythm.js';
import type { Schedule } from '../../src/model/schedule.js';
import type { Rows } from '../../src/model/rows.js';
import type { PlannedSettings } from '../../src/plan/feature.js';

export interface FakeIo extends Io {
  readonly printed: string[];
  readonly chatter: string[];
}

export function fakeIo(live = false): FakeIo {
  const printed: string[] = [];
  const chatter: string[] = [];
  return {
    printed,
    chatter,
    out: (text) => void printed.push(text),
    err: (text) => void chatter.push(text),
    write: (text) => void printed.push(text),
    terminal: { live, columns: 100, rows: 40, colour: false },
  };
}

/** Records by name; bytes are not kept. */
export function fakeStore(recordsByName: Record<string, unknown> = {}): Store {
  const all = new Map(Object.entries(recordsByName));
  const refuse = (): never => {
    throw fail(noRuns());
  };
  return {
    put: refuse,
    putFile: refuse,
    get: refuse,
    fetch: refuse,
    has: () => Promise.resolve(false),
    sound: () => Promise.resolve(false),
    setAside: (name) => Promise.resolve(void all.delete(name)),
    create: (name, value) => {
      const before = all.get(name);
      if (before === undefined) all.set(name, value);
      return Promise.resolve({ created: before === undefined, value: (before ?? value) as typeof value });
    },
    read: <T>(name: string) => Promise.resolve((all.get(name) as T | undefined) ?? null),
    list: (prefix) => Promise.resolve([...all.keys()].filter((name) => name.startsWith(prefix)).sort()),
  };
}

export interface Sent {
  readonly workflowId: string;
  readonly run: string | undefined;
  readonly action: Action;
}

/** A server that remembers these runs; `watch` yields the run's statuses in order. */
/** A run as a list has it, which holds the name of the verdict alone. */
export const recentOf = ({ verdict, ...head }: RunStatus): Recent => ({
  ...head,
  ...(verdict && { verdict: verdict.verdict }),
  open: verdict === undefined,
});

export function fakeClient(runs: readonly (readonly RunStatus[])[]): ReleaseClient & {
  readonly cancelled: string[];
  readonly sent: Sent[];
  /** Inputs of the calls of `start`. */
  readonly started: Parameters<ReleaseClient['start']>[0][];
} {
  const started: Parameters<ReleaseClient['start']>[0][] = [];
  const cancelled: string[] = [];
  const sent: Sent[] = [];
  const of = (workflowId: string): readonly RunStatus[] => runs.find((run) => run[0]!.workflowId === workflowId)!;
  const recent = runs.map((run): Recent => ({ ...recentOf(run[0]!), open: run.at(-1)!.state !== 'ended' }));
  return {
    cancelled,
    sent,
    started,
    start: (asked) => {
      started.push(asked);
      const { name, version, rehearsal } = asked;
      const workflowId = `${rehearsal ? 'rehearsal' : 'release'}/${name}/${version}`;
      return Promise.resolve({ workflowId, run: recent[0]!.run, existing: false });
    },
    status: (workflowId) => Promise.resolve(of(workflowId).at(-1)!),
    async *follow(workflowId) {
      yield* of(workflowId);
    },
    result: (workflowId) => Promise.resolve(of(workflowId).at(-1)!),
    cancel: (workflowId) => {
      cancelled.push(workflowId);
      return Promise.resolve();
    },
    act: (workflowId, action, run) => {
      sent.push({ workflowId, run, action });
      const problem = aProblem({ code: 'STEP_NOT_HELD' });
      const held = !('step' in action) || action.step !== 'done';
      return Promise.resolve(held ? { ok: true, did: 'done as told', steps: [] } : { ok: false, problem });
    },
    previewRerun: (_, from) =>
      Promise.resolve({
        ...{ ok: true, from, reused: ['source/skiff'], again: [from, 'seal/manifest'], stopped: ['seal/manifest'] },
        invalidated: [{ step: from, why: 'its result' }],
      }),
    runs: (limit) => Promise.resolve(recent.slice(0, limit)),
    startBisect: (workflowId) => Promise.resolve({ workflowId, run: 'r', existing: false }),
    carryOut: () => Promise.reject(new Error('no workflow')),
    bisectStatus: () => Promise.resolve({ test: 'sail', state: 'planning', commits: [], tried: [] }),
    failures: () => Promise.resolve(new Map()),
    schedules: fakeSchedules(),
    deployments: {
      read: async () => ({ builds: [], unversioned: [] }),
      current: async () => undefined,
      ramp: async () => undefined,
    },
    workers: () => Promise.resolve([]),
    pollers: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

/** Schedules that start nothing. */
function fakeSchedules(): Schedules {
  const all = new Map<string, Schedule>();
  const change = async (pipeline: string, over: Partial<Schedule>): Promise<void> =>
    void all.set(pipeline, { ...all.get(pipeline)!, ...over });
  return {
    put: async ({ pipeline, rhythm, given = {}, by = null, ...order }) => {
      const created = !all.has(pipeline);
      const told = 'cron' in rhythm ? `cron ${rhythm.cron}` : `every ${everyText(rhythm.everyMs)}`;
      const counts = { started: 0, skipped: 0, missed: 0 };
      const state = { paused: false, note: null, next: [Date.UTC(2026, 10, 22, 2)], last: [] };
      all.set(pipeline, { pipeline, rhythm: told, given, by, ...order, ...state, ...counts });
      return { created };
    },
    find: async (pipeline) => all.get(pipeline) ?? null,
    list: async () => [...all.values()],
    pause: (pipeline, note) => change(pipeline, { paused: true, note, next: [] }),
    resume: (pipeline, note) => change(pipeline, { paused: false, note }),
    delete: async (pipeline) => void all.delete(pipeline),
  };
}

/** Pointers that nobody else moves. */
export function fakePointers(): Pointers {
  const all = new Map<string, unknown>();
  return {
    read: <T>(name: string) => Promise.resolve((all.get(name) as T | undefined) ?? null),
    move: (name, value, wins) => {
      const now = all.get(name) as typeof value | undefined;
      const moved = now === undefined || wins(now);
      if (moved) all.set(name, value);
      return Promise.resolve({ moved, value: moved ? value : now! });
    },
  };
}

const services = (up: boolean): ServicesPort => ({
  up: () => Promise.resolve(),
  down: () => Promise.resolve(),
  doctor: () => Promise.resolve([]),
  address: () => (up ? '127.0.0.1:7233' : null),
  startWorkers: () => Promise.resolve(0),
  workflowBuild: () => Promise.resolve('b2b2'),
  assertUpgradeReplays: () => Promise.resolve(),
  database: () => null,
  server: () => (up ? { address: '127.0.0.1:7233' } : null),
  ui: () => (up ? 'http://127.0.0.1:8233' : null),
  link: () => (up ? 'http://127.0.0.1:8233/?key=KEY' : null),
  config: () => '.slipway/door/temporal.toml',
});

/** Proofs of a home without keys: nothing is checked. */
const NO_KEYS: Proofs = { holds: () => false, knows: () => false, sign: () => null, verify: () => false };

const queue = { window: 1, diskMiB: 1, can: ['host' as const], tools: [] };
const QUEUES = { control: queue, 'linux-x86_64': queue, gpu: queue };

export function fakePorts(
  more: {
    client?: ReleaseClient;
    screens?: Ports['screens'];
    store?: Store;
    pointers?: Pointers;
    durations?: readonly Durations[];
    plan?: Awaited<ReturnType<Ports['submit']>>;
    json?: unknown;
    rows?: Rows;
    settings?: PlannedSettings;
    runs?: string;
    indexes?: Awaited<ReturnType<Ports['indexes']>>;
    fleet?: Fleet;
    uncommitted?: readonly string[];
    /** The commit that the release file names now. */
    commit?: string;
    /** What the person at the keyboard says; absent: nobody is there. */
    confirms?: boolean;
    ssh?: Awaited<ReturnType<Ports['ssh']>>;
    proofs?: Proofs;
    policy?: PolicyPort;
    tests?: TestsPort;
    copies?: readonly IndexCopies[];
  } = {},
): Ports {
  const store = more.store ?? fakeStore();
  const pointers = more.pointers ?? fakePointers();
  return {
    cwd: '/somewhere',
    screens: more.screens ?? {},
    env: {},
    hash: () => `sha256:${'00'.repeat(32)}`,
    planWithRows: () =>
      Promise.resolve({
        plan: more.plan!.plan,
        rows: more.rows ?? null,
        settings: more.settings ?? null,
        source: null,
        planWith: () => Promise.resolve(more.plan!.plan),
      }),
    settings: () => Promise.resolve(more.settings ?? null),
    expanded: () => Promise.resolve(''),
    namedPlan: () => Promise.resolve(more.plan!.plan),
    fleet: () => Promise.resolve({ content: more.fleet!, file: 'fleet.yaml', at: () => ({}) }),
    json: () => Promise.resolve(more.json),
    checkouts: () => Promise.reject(fail(noRuns())),
    uncommitted: () => Promise.resolve(more.uncommitted ?? []),
    commitNow: () => Promise.resolve(more.commit ?? null),
    tests: () => Promise.resolve(more.tests!),
    prune: () => Promise.reject(fail(noRuns())),
    bisectSpan: (file) => Promise.resolve({ pipeline: 'night', commits: ['1'.repeat(40), '2'.repeat(40)], file }),
    indexes: () => Promise.resolve(more.indexes ?? []),
    runsOf: () => Promise.resolve(more.runs ?? 'pipeline/wheels'),
    locate: () => Promise.resolve(() => null),
    submit: () => Promise.resolve(more.plan!),
    order: (file, profile, given) =>
      Promise.resolve({ plan: more.plan!.plan, order: { file: `/somewhere/${file}`, profile, given } }),
    store: () => Promise.resolve(store),
    durations: () => Promise.resolve(more.durations ?? []),
    pointers: () => Promise.resolve(pointers),
    queues: () => Promise.resolve(QUEUES),
    logs: () => Promise.reject(fail(noRuns())),
    client: () => Promise.resolve(more.client!),
    services: () => Promise.resolve(services(more.client !== undefined)),
    codec: () =>
      Promise.resolve({
        newKeyLine: (id) => `${id} KEY`,
        serve: async () => ({ address: 'http://127.0.0.1:1', close: async () => undefined }),
      }),
    ssh: () => Promise.resolve(more.ssh ?? { agentKeys: async () => [], sign: async () => 'SIGNED' }),
    policy: () => Promise.resolve(more.policy!),
    reproduce: () => Promise.resolve(0),
    confirm: () => Promise.resolve(more.confirms ?? null),
    drill: () => Promise.resolve(0),
    interrupt: () => new AbortController().signal,
    workingTree: () => Promise.reject(fail(noRuns())),
    makeKeys: () => Promise.resolve({ folder: '/home/keys', files: ['control.pub', 'worker.key'] }),
    proofs: () => Promise.resolve(more.proofs ?? NO_KEYS),
    evidence: () => Promise.reject(fail(noRuns())),
    history: () => Promise.reject(fail(noRuns())),
    rebuild: () => Promise.resolve(more.copies ?? []),
    save: (digest, folder, name) => Promise.resolve(`${folder}/${name} ${digest}`),
    writeView: async (folder) => folder,
  };
}
