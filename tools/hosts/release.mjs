import { inject } from './faults.mjs';
import { asOperator, envOf, slipwayOf, startBuilder, workersMatch } from './homes.mjs';
import { start, until } from './processes.mjs';
import { uploads, whoMade } from './screens.mjs';

const RELEASE_LIMIT_MS = 30 * 60_000;

/** Releases a file from control, and shows who ran what where. Answers the exit status of the release, and 1 where the fault that was
 * asked for found no step. */
export async function release(root, folder, bucket, { file, fault }) {
  const env = envOf(folder, 'control', 'operator', bucket);
  const argv = [...slipwayOf(root), 'run', file, '--wait', '--on-hold', 'fail'];
  const run = start(folder, 'release', 'control', argv, { env, cwd: root });
  const isOver = () => run.exitCode !== null || run.signalCode !== null;
  const isMissed = fault !== undefined && !(await meet(root, folder, bucket, fault, isOver));
  await until(null, isOver, RELEASE_LIMIT_MS);
  for (const screen of [['workers'], ['status'], ['ledger']]) show(screen, asOperator(root, folder, bucket, screen));
  console.log(`\nWho made what\n${whoMade(folder)}\n\nUploads\n${uploads(root, folder)}`);
  if (isMissed) console.error(`fault ${fault.host}:${fault.kind} found no step: the release ended before`);
  return run.exitCode || (isMissed || run.exitCode === null ? 1 : 0);
}

const show = (argv, text) => console.log(`\n$ slipway ${argv.join(' ')}\n${text.trimEnd()}`);

/** The fault begins once all slots of its host are taken, so that no short step alone begins it; one of control once those of any builder are. */
async function meet(root, folder, bucket, fault, isOver) {
  const host = fault.host === 'control' ? 'build-\\S+' : fault.host;
  const isBusy = () => workersMatch(root, folder, bucket, new RegExp(`linux-x86_64@${host} +serving +(\\d+) of \\1 `));
  await until(null, () => isOver() || isBusy(), RELEASE_LIMIT_MS);
  if (isOver()) return false;
  await inject(fault, (builder) => startBuilder(root, folder, bucket, builder));
  return true;
}
