import { setTimeout as sleep } from 'node:timers/promises';
import { asOperator, envOf, slipwayOf, workers } from './homes.mjs';
import { setLink } from './network.mjs';
import { start, until } from './processes.mjs';

const CUT_MS = 20_000;
const RELEASE_LIMIT_MS = 30 * 60_000;

/** Releases a file from control, and shows who ran what where. Answers the exit status of the release. */
export async function release(root, folder, bucket, { file, cut }) {
  const env = envOf(folder, 'control', 'operator', bucket);
  const argv = [...slipwayOf(root), 'run', file, '--wait', '--on-hold', 'fail'];
  const run = start(folder, 'release', 'control', argv, { env, cwd: root });
  const isOver = () => run.exitCode !== null || run.signalCode !== null;
  if (cut !== undefined) await cutLink(root, folder, bucket, cut, isOver);
  await until(null, isOver, RELEASE_LIMIT_MS);
  for (const screen of [['workers'], ['status'], ['ledger']]) show(screen, asOperator(root, folder, bucket, screen));
  return run.exitCode ?? 1;
}

const show = (argv, text) => console.log(`\n$ slipway ${argv.join(' ')}\n${text.trimEnd()}`);

/** Takes the link of a host down while it has a step. */
async function cutLink(root, folder, bucket, host, isOver) {
  const isBusy = () => new RegExp(`@${host} +serving +[1-9]`).test(workers(root, folder, bucket));
  await until(null, () => isOver() || isBusy(), RELEASE_LIMIT_MS);
  if (isOver()) return;
  setLink(host, 'down');
  console.error(`link of ${host} is down for ${CUT_MS / 1000} s`);
  await sleep(CUT_MS);
  setLink(host, 'up');
}
