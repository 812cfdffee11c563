import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inHome } from '../example.mjs';
import { notTaken } from '../rows.mjs';
import { byHand } from './by-hand.mjs';
import { calibrated } from './calibrated.mjs';
import { byMake, byNinja, byUs } from './contestants.mjs';
import { layers } from './graph.mjs';
import queues from './queues.cjs';
import { rowsOf, title } from './rows.mjs';

const CONTESTANTS = { ours: byUs, hand: byHand, make: byMake, ninja: byNinja };

/** Each round begins with the next of them: the machine may become slower meanwhile. */
function inOrderOf(round) {
  const all = Object.entries(CONTESTANTS);
  const first = (round - 1) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/** Real work on two slots: the same graph of the same commands by Slipway, a program written by hand for Temporal, GNU make and ninja,
 * one after another in turn. What is work is what the commands themselves used of the CPU, each time anew. */
export async function real({ root, folder, steps: count, runs: asked, note }) {
  const at = join(folder, 'real');
  mkdirSync(at, { recursive: true });
  if (availableParallelism() < queues.SLOTS)
    return [notTaken(title(count), 's', `this machine has fewer than ${queues.SLOTS} cores`)];
  const burn = calibrated(root, at, note);
  const steps = layers(count);
  const rounds = [];
  await inHome({ root, home: join(folder, 'r') }, async (env) => {
    for (let round = 1; round <= (asked ?? 1); round++) {
      const taken = {};
      for (const [who, carryOut] of inOrderOf(round)) {
        taken[who] = await carryOut({ root, at, env, steps, burn, round });
        note(`real, round ${round}, ${who}: ${JSON.stringify(taken[who])}`);
      }
      rounds.push(taken);
    }
  });
  return rowsOf(count, rounds);
}
