import { basename, join } from 'node:path';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import { fileName } from '../../model/file-name.js';
import type { Queue, RunId, StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { KindName } from '../../model/kinds.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import type { Work } from '../work.js';
import { buildPaths, type Confine, createConfine, Reached } from './confine.js';
import { envOfPip, passwordsIn, scrubbedEnv } from './env.js';
import { serviceDown } from './errors.js';
import { createExec } from './exec.js';
import { scrubbed, reportedAs } from './failures.js';
import { assertInside } from './inside.js';
import { createPart } from './part.js';
import type { StepLog, StepContext } from './ports.js';
import { readOwn } from './reuse.js';
import { type Asker, reveal } from './secrets.js';
import type { Workspace } from './workspace.js';

export interface Attempt<K extends KindName = KindName> extends Pick<
  Work<K>,
  'plan' | 'step' | 'run' | 'attempt' | 'round' | 'sealed' | 'openings' | 'inputs' | 'toolchain' | 'known'
> {
  /** True ignores cached results. */
  readonly fresh?: boolean;
  readonly waits?: Work['waits'];
  readonly takesTurn?: Work['takesTurn'];
  readonly leaves?: Work['leaves'];
  /** SOURCE_DATE_EPOCH. Null before the run has fetched a source. */
  readonly epoch: string | null;
}

export function createWork<K extends KindName>(
  attempt: Attempt<K>,
  around: StepContext,
  workspace: Workspace,
  log: StepLog,
  signal: AbortSignal,
  reached = new Reached(),
): Work<K> {
  const { epoch, fresh: _, ...known } = attempt;
  const { plan, step } = attempt;
  const { programs, worker } = around;
  const cache = join(around.home, 'cache');
  const paths = buildPaths(step.kind, workspace.folder, cache, programs.noSandbox === null);
  const accepted = plan.isolation === 'none';
  const { noSandbox } = programs;
  const confine = createConfine({ step, workspace, cache, paths, noSandbox, accepted, worker, reached });
  return {
    ...known,
    ...createMeans({ around, workspace, log, signal, on: step.on, limitMs: step.limitMs, epoch, confine }),
    ...{ paths, confine },
    reached: (level, network) => reached.note(level, network),
    judged: (error) => reportedAs(error, log, around.home, step, reached)[0]!,
    withoutSecrets: (value) => scrubbed(value, (text) => log.scrub(text)) as JsonObject,
    waits: attempt.waits ?? (() => undefined),
    takesTurn: attempt.takesTurn ?? (() => undefined),
    leaves: attempt.leaves ?? (() => false),
    ...bytes(attempt, around, workspace),
    ...memoryOf(attempt.run, step.id, around.store),
    part: createPart(attempt as Attempt, around, log, reached),
    effect: (act) => between(attempt.step.id, around, act),
    store: around.store,
    layout: around.layout(attempt.plan.release.name),
  };
}

type Names = Pick<Work, 'address' | 'login' | 'secret'>;
export type Means = Names &
  Pick<Work, 'exec' | 'must' | 'capture' | 'folder' | 'files' | 'log' | 'signal' | 'env' | 'envOfPip'>;

interface MeansFacts {
  readonly around: StepContext;
  readonly workspace: Pick<Workspace, 'folder' | 'files' | 'home' | 'tmp'>;
  readonly log: StepLog;
  readonly signal: AbortSignal;
  readonly on: Queue;
  readonly limitMs: number;
  readonly epoch: string | null;
  readonly confine?: Confine;
}

export function createMeans({ around, workspace, log, signal, on, limitMs, epoch, confine }: MeansFacts): Means {
  const env = environment(around, workspace, epoch);
  for (const [name, value] of passwordsIn(around.env)) log.hide(name, value);
  const began = around.ticks();
  const leftMs = (): number => limitMs - Math.round(around.ticks() - began);
  const { folder, files } = workspace;
  return {
    ...createExec({
      programs: around.programs,
      log,
      signal,
      folder,
      env,
      limitMs,
      leftMs,
      ...(confine && { confine }),
    }),
    ...names(around, { log, signal, on }),
    ...{ folder, files, log, signal, env, envOfPip: () => envOfPip(around.env, env()) },
  };
}

function environment(around: StepContext, workspace: MeansFacts['workspace'], epoch: string | null): Work['env'] {
  const { toolsBin, env } = around;
  const { home, tmp } = workspace;
  const base = scrubbedEnv({ toolsBin, env, home, tmp, epoch, cache: join(around.home, 'cache') });
  return (extra) => ({ ...base, ...extra });
}

function bytes(
  { inputs }: Attempt,
  { store }: StepContext,
  own: Pick<Workspace, 'folder'>,
): Pick<Work, 'artifacts' | 'fetch' | 'keep'> {
  return {
    artifacts: (kind, labels = {}) =>
      inputs
        .flatMap((result) => result.artifacts)
        .filter((artifact) => artifact.kind === kind && bears(artifact, labels)),
    fetch: async (artifact, folder, as) => {
      const path = join(folder, as ?? fileName(artifact.name));
      assertInside(own, path);
      await store.fetch(artifact.digest, path);
      return path;
    },
    keep: async (path, kind, labels = {}, name) => {
      const called = fileName(name ?? basename(path));
      assertInside(own, path);
      const { digest, size } = await store.putFile(path);
      return { digest, kind, name: called, size, labels };
    },
  };
}

const bears = (artifact: Artifact, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([label, value]) => artifact.labels[label] === value);

/** Values that a step stored in a run. */
export const memoryOf = (run: RunId, step: StepId, store: Store): Pick<Work, 'remember' | 'recall'> => ({
  remember: async <T>(key: string, value: T): Promise<T> =>
    (await store.create(records.memory(run, step, key), { value })).value.value,
  // An invalid record is moved to quarantine, and the step reads the value again at its origin.
  recall: async <T>(key: string): Promise<T | null> => {
    const found = await readOwn<{ value: T }>(store, records.memory(run, step, key));
    return found === 'damaged' ? null : (found?.value ?? null);
  },
});

async function between<T>(step: StepId, { passes }: StepContext, act: () => Promise<T>): Promise<T> {
  await passes?.(step, 'before');
  const made = await act();
  await passes?.(step, 'after');
  return made;
}

function names(around: StepContext, asker: Asker): Names {
  return {
    address: (text) => resolveAddress(text, around),
    login: (text) => around.login?.(serviceIn(text) ?? '') ?? null,
    secret: (reference, as) => reveal(around, asker, reference, as ?? 'secret'),
  };
}

const serviceIn = (text: string): string | undefined => /^service:(.+)$/.exec(text)?.[1];

/** Returns the address of a `service:NAME`; other texts are returned unchanged. Throws SERVICE_DOWN. */
export function resolveAddress(text: string, { service }: Pick<StepContext, 'service'>): string {
  const name = serviceIn(text);
  if (name === undefined) return text;
  const address = service(name);
  if (address === null) throw fail(serviceDown(name));
  return address;
}
