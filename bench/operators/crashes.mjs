import { middle } from '../measure.mjs';
import { overReferenceAtMost } from '../rows.mjs';
import { rowOf } from './row-of.mjs';

/** From a KILL to the next step's first line. The reference is when the killed process serves again, after the same KILL; for an
 * interrupted step it is also not before the heartbeat time-out has passed. */
export async function crashes({ ground, runs }) {
  const taken = { interrupted: [], workflows: [], server: [] };
  const nothing = [];
  for (let run = 0; run < runs; run++) {
    nothing.push(await undisturbed(ground));
    taken.interrupted.push(await interrupted(ground));
    taken.workflows.push(
      await between(ground, 'worker-workflows', (killed) => ground.polls('worker-workflows', killed)),
    );
    taken.server.push(await between(ground, 'temporal', (_, { workflowId }) => ground.serves(workflowId)));
  }
  return [
    rowOf(ground, 'a step after another, nothing killed', nothing),
    against(ground, 'worker of a step killed → it runs again, against restart and time-out', taken.interrupted),
    against(ground, 'worker of workflows killed → next step runs, against its restart', taken.workflows),
    against(ground, 'Temporal killed → next step runs, against its restart', taken.server),
  ];
}

function against(ground, name, taken) {
  const of = (take) => middle(taken.map(take));
  const over = of(({ nextMs, backMs }) => nextMs - backMs);
  ground.note(`${name}: ${over.toFixed(0)} ms above its reference, median of the differences`);
  const all = taken.map(({ nextMs }) => nextMs);
  return rowOf(ground, name, all, { reference: of(({ backMs }) => backMs), goal: overReferenceAtMost(500), over });
}

/** The step runs while its worker dies, and begins again. */
async function interrupted(ground) {
  const release = await ground.release({ long: { run: 'mark up; until_told' } });
  await release.at('up');
  const killed = await ground.kill('worker-linux-x86_64');
  const polls = ground.polls('worker-linux-x86_64', killed);
  const timedOut = await ground.timesOut(release.workflowId);
  const again = await release.at('up', 1);
  const back = Math.max(await polls, timedOut);
  release.go();
  await release.ended();
  return { nextMs: again - killed.atMs, backMs: back - killed.atMs };
}

const TWO_STEPS = {
  first: { run: 'mark up; until_told; mark down' },
  second: { run: 'mark second', needs: ['steps/first'] },
};

async function undisturbed(ground) {
  const release = await ground.release(TWO_STEPS);
  await release.at('up');
  release.go();
  const down = await release.at('down');
  const second = await release.at('second');
  await release.ended();
  return second - down;
}

/** The first step ends while the service is away: its result must get through.
 * @param back when the service serves again; looked for from the KILL on */
async function between(ground, service, back) {
  const release = await ground.release(TWO_STEPS);
  await release.at('up');
  const killed = await ground.kill(service);
  const served = back(killed, release);
  release.go();
  const second = await release.at('second');
  const backMs = (await served) - killed.atMs;
  await release.ended();
  return { nextMs: second - killed.atMs, backMs };
}
