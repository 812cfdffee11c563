import { atMost } from '../rows.mjs';
import { rowOf } from './row-of.mjs';

/** From the call of `cancel` to TERM at the step's program. */
export async function cancels({ ground, runs }) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const release = await ground.release({
      long: { run: `trap 'mark term; exit 1' TERM; mark up; while :; do sleep 0.01; done` },
    });
    await release.at('up');
    const asked = Date.now();
    await release.cancel();
    times.push((await release.at('term')) - asked);
    await release.ended();
  }
  return [rowOf(ground, 'cancel → TERM at the step', times, { goal: atMost(1500) })];
}
