import { atMost } from '../rows.mjs';
import { rowOf } from './row-of.mjs';

/** What a run takes beyond the time in which something is simply not there: from the moment the killed one serves again (and for a step that
 * was interrupted, from ten seconds after its last sign of life) to the next step's first line. */
export async function crashes({ ground, runs }) {
  const rows = { nothing: [], interrupted: [], workflows: [], server: [] };
  for (let run = 0; run < runs; run++) {
    rows.nothing.push(await between(ground, null, () => null));
    rows.interrupted.push(await interrupted(ground));
    rows.workflows.push(
      await between(ground, 'worker-workflows', (killed) => ground.polls('worker-workflows', killed)),
    );
    rows.server.push(await between(ground, 'temporal', () => ground.serves()));
  }
  const goal = atMost(500);
  return [
    rowOf(ground, 'a step after another, nothing killed', rows.nothing),
    rowOf(ground, 'worker of a step killed → it runs again', rows.interrupted, { goal }),
    rowOf(ground, 'worker of workflows killed → next step runs', rows.workflows, { goal }),
    rowOf(ground, 'Temporal killed → next step runs', rows.server, { goal }),
  ];
}

const HEARTBEAT_MS = 10_000;

async function interrupted(ground) {
  const release = await ground.release({ long: { run: 'mark up; until_told' } });
  await release.at('up');
  const killed = await ground.kill('worker-linux-x86_64');
  const beat = await ground.lastBeat(release.workflowId);
  const polls = await ground.polls('worker-linux-x86_64', killed);
  const again = await release.at('up', 1);
  release.go();
  await release.ended();
  return again - Math.max(polls, beat + HEARTBEAT_MS);
}

/** The step before ends while the service is away: its ending is what has to get through. */
async function between(ground, service, back) {
  const release = await ground.release({
    first: { run: 'mark up; until_told; mark down' },
    second: { run: 'mark second', needs: ['steps/first'] },
  });
  await release.at('up');
  const killed = service === null ? null : await ground.kill(service);
  release.go();
  const down = await release.at('down');
  const served = (await back(killed)) ?? down;
  const second = await release.at('second');
  await release.ended();
  return second - served;
}
