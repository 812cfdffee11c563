// `npm run fuzz -- --minutes N [--seed S]`: mutants of valid inputs for every reader of what comes from outside.
// Exits with 1 if a reader crashed, took over a second of CPU time or grew by over 256 MiB, with 2 if it was typed wrongly.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { tell } from '../start/problem.mjs';
import { argumentsOf } from './arguments.mjs';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const DEADLINE_MS = 1_000;
const MOST_GROWTH_MIB = 256;
const LOOK_MS = 100;
/** A thread is replaced after so many inputs: its memory is measured against a fresh one. */
const BATCH = 50_000;
const MOST_FINDS = 20;

async function main(args) {
  const { minutes, inputs, seed, only } = argumentsOf(args);
  const endsAt = Date.now() + minutes * 60_000;
  const began = Date.now();
  const finds = [];
  let [next, count] = [0, 0];
  while (next < inputs && Date.now() < endsAt && finds.length < MOST_FINDS) {
    const batch = await runBatch({ seed, from: next, to: Math.min(next + BATCH, inputs), only }, endsAt);
    next = batch.next;
    count += batch.count;
    for (const suspect of batch.suspects) {
      const find = confirmed(suspect, seed, only);
      if (find !== null && !finds.some(({ key }) => key === find.key)) finds.push(report(find));
    }
    console.error(
      `${count} inputs, ${Math.round(count / ((Date.now() - began) / 1000))} a second, seed ${seed}, ${finds.length} found`,
    );
  }
  console.log(
    `${count} inputs in ${((Date.now() - began) / 60_000).toFixed(1)} min, seed ${seed}: ${finds.length} found`,
  );
  return finds.length > 0 ? 1 : 0;
}

/** Runs one thread to its end, or until it hangs. */
function runBatch(work, endsAt) {
  const shared = new SharedArrayBuffer(32);
  const state = new Float64Array(shared);
  const suspects = [];
  const worker = new Worker(at('worker.cjs'), {
    workerData: { ...work, shared },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    stdout: true,
  });
  return new Promise((resolve) => {
    const end = async (next) => {
      clearInterval(timer);
      await worker.terminate();
      resolve({ next, count: state[3], suspects });
    };
    const timer = setInterval(() => {
      if (Date.now() > endsAt) state[2] = 1;
      if (state[1] === 0 || Date.now() - state[1] < DEADLINE_MS) return;
      suspects.push({ index: state[0], kind: 'hang' });
      void end(state[0] + 1);
    }, LOOK_MS);
    worker.on('message', (message) => {
      if (message.ended !== undefined) void end(message.ended);
      else suspects.push(message);
    });
    worker.on('error', (error) => {
      suspects.push({ index: state[0], kind: 'crash', why: String(error.stack) });
      void end(state[0] + 1);
    });
  });
}

/** Runs a suspect alone. Null if it was slow or large only because of what ran beside it. */
function confirmed({ index, kind, why }, seed, only) {
  const argv = ['--max-old-space-size=1024', at('confirm.cjs'), String(seed), String(index), ...(only ? [only] : [])];
  const { stdout, signal } = spawnSync(process.execPath, argv, {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 1 << 26,
  });
  const [about, cost] = stdout.split('\n').map(parsed);
  const [as, text] = judged(cost, signal) ?? (kind === 'escaped' ? [kind, why] : []);
  if (text === undefined) return null;
  return { index, kind: as, found: text, key: `${about?.reader} ${text.split('\n').slice(0, 2).join(' ')}`, ...about };
}

/** A line that may have been cut off, or be missing. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Returns the fault of an input that ran alone. Null if there is none. */
function judged(cost, signal) {
  if (cost === null || cost === undefined) return ['hang', `ended by ${signal ?? 'itself'}`];
  if (cost.fault !== null) return ['crash', cost.fault];
  if (cost.ms > DEADLINE_MS) return ['hang', `${cost.ms} ms of CPU time`];
  return cost.growthMiB > MOST_GROWTH_MIB ? ['growth', `${cost.growthMiB} MiB`] : null;
}

/** Prints a find with the file to paste. */
function report(find) {
  const { reader, input, found, index, kind } = find;
  console.log(`\n${reader}, input ${index}, ${kind}: ${found}\n  tests/fuzz/found/${slug(reader)}-${index}.json:`);
  console.log(JSON.stringify({ reader, found: found.split('\n')[0], input }));
  return find;
}

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = tell(error)),
);
