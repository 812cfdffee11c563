import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inTurn, middle } from '../measure.mjs';
import { atMost, row } from '../rows.mjs';

/** From `connect` to the first status of an open run, against the SDK's own connection and query in turn. Both modules are
 * loaded. */
export async function connects({ ground, runs }) {
  const { root, env, server, Connection, Client } = ground;
  const { connect } = createRequire(import.meta.url)(join(root, 'dist', 'client', 'package.js'));
  const release = await ground.release({ long: { run: 'mark up; until_told' } });
  await release.at('up');
  const taken = await inTurn(runs, {
    slipway: () =>
      asked(
        () => connect({ home: env.SLIPWAY_HOME }),
        (client) => client.status(release.workflowId),
      ),
    sdk: () =>
      asked(
        () => Connection.connect(server),
        (connection) => new Client({ connection }).workflow.getHandle(release.workflowId).query('status'),
      ),
  });
  release.go();
  await release.ended();
  const [value, reference] = [taken.slipway, taken.sdk].map(middle);
  return [
    row("connect → first status, against the SDK's connection and query", value, 'ms', {
      reference,
      goal: atMost(150),
    }),
  ];
}

async function asked(open, ask) {
  const began = performance.now();
  const opened = await open();
  await ask(opened);
  const took = performance.now() - began;
  await opened.close();
  return took;
}
