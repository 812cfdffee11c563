import type { Artifact } from '../../../model/artifact.js';
import { fail } from '../../../model/failure.js';
import type { Result } from '../../../model/result.js';
import { resultNames } from '../../../model/rounds.js';
import { DRIFTED_LOCK, records } from '../../../model/run-folder.js';
import type { Store } from '../../../activities/ports.js';
import type { ExitCode, Input, Io } from '../../../cli/command.js';
import { noLocks, otherRelease, unknownDepsAction } from './errors.js';
import { meantRun } from '../../../cli/find-run.js';
import type { Ports, WorkingTree } from '../../../cli/ports.js';
import { counted } from '../../../model/counted.js';

/** A lock of a run, and where it belongs in the working tree. */
interface MadeLock extends Artifact {
  readonly path: string;
}

/** `slipway deps` */
export async function deps({ args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const action = args['action'] ?? '';
  if (action !== 'check' && action !== 'write') throw fail(unknownDepsAction(action));
  const tree = await ports.workingTree(args['file'] ?? 'slipway.yaml');
  const { run, workflowId } = await meantRun(ports, options['run'] === undefined ? undefined : String(options['run']));
  if (workflowId.split('/')[1] !== tree.release) throw fail(otherRelease(workflowId, tree.release));
  const locks = await locksOf(await ports.store(), run);
  if (locks.length === 0) throw fail(noLocks(workflowId));
  return action === 'check' ? check(locks, tree, io) : write(locks, tree, io);
}

/** Returns the locks of a run that have a path in the source tree, sorted by it. Includes locks that failed their step because they
 * differ from that file. */
async function locksOf(store: Store, run: string): Promise<readonly MadeLock[]> {
  const drifted = (await store.list(records.memories(run))).filter((name) => name.endsWith(`/${DRIFTED_LOCK}`));
  const [kept, results] = await Promise.all([
    Promise.all(drifted.map((name) => store.read<Artifact>(name))),
    Promise.all((await resultNames(store, run)).map((name) => store.read<Result>(name))),
  ]);
  const all = [...kept.filter((one) => one !== null), ...results.flatMap((result) => result?.artifacts ?? [])];
  const locks = all.flatMap((one) => {
    const { path } = one.labels;
    return one.kind === 'lock' && path !== undefined ? [[path, { ...one, path }] as const] : [];
  });
  return [...new Map(locks).values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function check(locks: readonly MadeLock[], tree: WorkingTree, io: Io): Promise<ExitCode> {
  let differ = 0;
  for (const { path, digest } of locks) {
    const diff = await tree.diff(path, digest);
    if (diff === null) continue;
    differ += 1;
    io.out(diff);
  }
  if (differ === 0) io.err(`${counted(locks.length, 'lock')} compared: all are as this run made them`);
  else
    io.err(`${differ} of ${counted(locks.length, 'lock')} differ; \`slipway deps write\` puts what the run made there`);
  return differ === 0 ? 0 : 1;
}

async function write(locks: readonly MadeLock[], tree: WorkingTree, io: Io): Promise<ExitCode> {
  let same = 0;
  for (const { path, digest } of locks) {
    if ((await tree.diff(path, digest)) === null) same += 1;
    else io.out(await tree.write(path, digest));
  }
  io.err(`${counted(locks.length - same, 'lock')} written, ${same} as they were`);
  return 0;
}
