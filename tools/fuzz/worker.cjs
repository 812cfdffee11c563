// A thread that feeds one reader after the other. It writes what it does into shared memory before it does it, so that the thread
// beside it knows what it hangs on.
const { mkdtempSync, rmSync, existsSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const { randomOf } = require('../random.cjs');
const { mutant } = require('./mutate.cjs');
const { readersIn } = require('./readers.cjs');

const GROWTH_BYTES = 256 * 2 ** 20;

/** The readers of a run: all that work, or one by its name. */
const chosen = (readers, only) =>
  readers.filter(({ name }) => (only === undefined ? !name.startsWith('broken: ') : name === only));
exports.chosen = chosen;

/** The input of an index: reader and bytes. */
exports.inputAt = (readers, seed, index) => {
  const random = randomOf(Math.imul(seed, 0x9e3779b1) ^ index);
  const shares = readers.reduce((sum, { share }) => sum + share, 0);
  let left = random() * shares;
  const reader = readers.find(({ share }) => (left -= share) < 0) ?? readers.at(-1);
  return { reader, bytes: mutant(random, reader.seeds, reader.tokens) };
};

/** Runs one input. Returns what is wrong, or null. A coded refusal is the right answer to a wrong input. */
exports.faultOf = async (reader, bytes, folder) => {
  try {
    await reader.run(bytes, folder);
    return null;
  } catch (error) {
    if (error?.name === 'SlipwayFailure' && error.first.class !== 'bug') return null;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
};

async function main({ shared, seed, from, to, only }) {
  const state = new Float64Array(shared);
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(memory, 'slipway-fuzz-'));
  // A reader that is absent ends the thread with its error.
  const readers = chosen(await readersIn(only), only);
  process.on('uncaughtException', (error) => tell(state, 'escaped', String(error.stack)));
  process.on('unhandledRejection', (error) => tell(state, 'escaped', String(error?.stack ?? error)));
  const baseline = process.memoryUsage.rss();
  for (let index = from; index < to && state[2] === 0; index += 1) {
    const { reader, bytes } = exports.inputAt(readers, seed, index);
    const began = Date.now();
    state[0] = index;
    state[1] = began;
    state[3] += 1;
    const fault = await exports.faultOf(reader, bytes, folder);
    if (fault !== null) tell(state, 'crash', fault);
    else if ((Date.now() > began || index % 64 === 0) && process.memoryUsage.rss() - baseline > GROWTH_BYTES) {
      tell(state, 'growth', `${Math.round((process.memoryUsage.rss() - baseline) / 2 ** 20)} MiB`);
      break;
    }
  }
  state[1] = 0;
  rmSync(folder, { recursive: true, force: true });
  // A rejection that escapes its reader does so at the latest now.
  await new Promise((resolve) => setTimeout(resolve, 20));
  parentPort.postMessage({ ended: state[0] + 1 });
}

const tell = (state, kind, why) => parentPort.postMessage({ index: state[0], kind, why });

if (parentPort && workerData?.shared) void main(workerData);
