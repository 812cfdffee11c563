import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StepContext } from '../../src/activities/step/ports.js';
import { createWork } from '../../src/activities/step/work.js';
import { makeWorkspace, slug } from '../../src/activities/step/workspace.js';
import type { Body, Made, Toolchain } from '../../src/activities/work.js';
import { toolsBin } from '../../src/adapters/home.js';
import { createLogReader } from '../../src/adapters/logs/reader.js';
import { createLogWriter } from '../../src/adapters/logs/writer.js';
import { createWorkerPolicy } from '../../src/adapters/policy/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { createLayout } from '../../src/adapters/store/layout.js';
import { createPointers } from '../../src/adapters/store/pointers.js';
import type { Artifact } from '../../src/model/artifact.js';
import type { Digest, Hash } from '../../src/model/digest.js';
import type { Openings } from '../../src/model/gate.js';
import type { KindName } from '../../src/model/kinds.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import { fakeSignatures } from './sign-plan.js';

export const sha256: Hash = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Every member of Surroundings from the real adapters, over one folder. */
export function realSurroundings(home: string, more: Partial<StepContext> = {}): StepContext {
  const store = createDirectoryStore(join(home, 'store'));
  return {
    store,
    signatures: fakeSignatures,
    layout: (release) => createLayout(join(home, 'store'), createPointers(store), release),
    programs: createPrograms({ running: join(home, 'running'), graceMs: 1_000 }),
    hash: sha256,
    now: Date.now,
    ticks: () => performance.now(),
    home,
    toolsBin: toolsBin(),
    env: process.env,
    policy: createWorkerPolicy({}, home),
    worker: 'test@here',
    openLog: (prefix) => createLogWriter(store, prefix),
    service: () => null,
    ...more,
  };
}

const homes: string[] = [];
afterAll(async () => {
  // A process that a test killed may still be writing its last.
  for (const home of homes) await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
});

/** A folder that is removed after the suite. */
export async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  homes.push(home);
  return home;
}

export interface RunBody {
  readonly inputs?: readonly Result[];
  /** Bundle files by path, as they stand in `{files}`. A value starting with `#!` is made executable. */
  readonly files?: Readonly<Record<string, string>>;
  /** Keep one home for several bodies, so that they share a store; default: a new one. */
  readonly home?: string;
  readonly plan?: Partial<Plan>;
  readonly toolchain?: Toolchain;
  readonly known?: Result;
  readonly epoch?: string;
  /** Parts of the step that are known are taken; by default all is made. */
  readonly reuse?: boolean;
  readonly signal?: AbortSignal;
  /** True: an abort means that the worker ends, and another takes the attempt over. */
  readonly leaves?: boolean;
  /** Told why the step waits for its turn. */
  readonly takesTurn?: (because: string | null) => void;
  readonly attempt?: number;
  readonly run?: string;
  /** Digest that the run's history says was sealed; default: what the seal among the inputs says. */
  readonly sealedAs?: Digest | null;
  readonly openings?: Openings;
  readonly surroundings?: Partial<StepContext>;
}
export interface BodyRun {
  readonly made: Made;
  readonly result: Result;
  readonly log: string;
  readonly home: string;
  readonly around: StepContext;
}

/** Of every body that is run here. */
export const RUN = '0123456789abcdef';

/** Runs one body with real programs and a real store, without Temporal. Failures come out as the body threw them. */
export async function runBody<K extends KindName>(
  body: Body<K>,
  step: StepOf<K>,
  options: RunBody = {},
): Promise<BodyRun> {
  const home = options.home ?? (await newHome());
  const around = realSurroundings(home, options.surroundings);
  const attempt = options.attempt ?? 1;
  const run = options.run ?? RUN;
  const workspace = await makeWorkspace(home, run, `${slug(step.id)}-${attempt}`);
  const prefix = records.log(run, step.id, attempt);
  const log = around.openLog(prefix);
  for (const [path, text] of Object.entries(options.files ?? {})) await place(join(workspace.files, path), text);
  const facts = {
    plan: aPlan(options.plan),
    step,
    run,
    attempt,
    inputs: options.inputs ?? [],
    toolchain: options.toolchain ?? null,
    known: options.known ?? null,
    leaves: () => options.leaves === true,
    ...(options.takesTurn && { takesTurn: options.takesTurn }),
    fresh: options.reuse !== true,
    epoch: options.epoch ?? null,
    sealed: options.sealedAs === undefined ? sealedBy(options.inputs ?? []) : options.sealedAs,
    openings: options.openings ?? {},
  };
  try {
    const work = createWork(facts, around, workspace, log, options.signal ?? new AbortController().signal);
    const made = await body(work);
    await log.close();
    return { made, result: aResult(step, made), log: await readLog(around, prefix), home, around };
  } finally {
    await workspace.remove();
  }
}

const sealedBy = (inputs: readonly Result[]): Digest | null =>
  (inputs.find(({ kind }) => kind === 'sealManifest')?.facts['manifest'] as Digest | undefined) ?? null;

async function place(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  if (text.startsWith('#!')) await chmod(path, 0o755);
}

export async function readLog(around: StepContext, prefix: string): Promise<string> {
  let text = '';
  for await (const { text: piece } of createLogReader(around.store).pieces(prefix, { follow: false })) text += piece;
  return text;
}

export const aPlan = (more: Partial<Plan> = {}): Plan => ({
  slipway: 1,
  release: { name: 'skiff', version: '1.2.3' },
  source: { kind: 'git', commit: '0'.repeat(40), branch: null },
  profile: { name: 'local', rehearsal: false },
  bundle: [],
  steps: [],
  dropped: [],
  effects: [],
  ...more,
});

const NEVER = { times: 0, waitMs: 0, atMostMs: 0 };

/** A step with valid defaults around what a test is about. */
export function aStep<K extends KindName>(
  kind: K,
  params: StepOf<K>['params'],
  more: Partial<StepOf<K>> = {},
): StepOf<K> {
  return {
    id: `steps/${kind}`,
    kind,
    stage: 'steps',
    on: 'control',
    axes: {},
    params,
    needs: [],
    wants: [],
    after: [],
    files: [],
    toolchain: null,
    limitMs: 600_000,
    retry: { infra: NEVER, lost: NEVER },
    ...more,
  };
}

/** What perform.ts would record for `made`: an input for the next body. */
export function aResult(step: { readonly id: string; readonly kind: KindName }, made: Partial<Made> = {}): Result {
  const when = { run: RUN, attempt: 1, at: '2026-01-01T00:00:00.000Z', ms: 1, worker: 'test@here' };
  return {
    step: step.id,
    kind: step.kind,
    key: sha256(step.id),
    artifacts: made.artifacts ?? [],
    facts: made.facts ?? {},
    findings: made.findings ?? [],
    note: made.note ?? '',
    made: when,
  };
}

/** A file put into the store of `home` as an artifact. */
export async function anArtifact(
  home: string,
  name: string,
  bytes: string | Uint8Array,
  more: Partial<Artifact> = {},
): Promise<Artifact> {
  const store = createDirectoryStore(join(home, 'store'));
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const { digest, size } = await store.put(
    (async function* () {
      yield data;
    })(),
  );
  return { digest: digest as Digest, kind: 'file', name, size, labels: {}, ...more };
}
