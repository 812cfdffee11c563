import { join } from 'node:path';
import { init } from './init.mjs';
import { costOf, inTurn, mean, middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

/** What every command costs before it does anything, and `slipway init`. */
export async function start({ root, folder, runs }) {
  const taken = await inTurn(runs ?? 9, {
    node: () => costOf([process.execPath, '-e', '0']),
    help: () => costOf([process.execPath, join(root, 'bin', 'slipway.js'), '--help']),
  });
  const [node, help] = [taken.node, taken.help].map((all) => ({
    wall: middle(all.map(({ wall }) => wall)),
    cpu: mean(all.map(({ cpu }) => cpu)),
  }));
  return [
    row('slipway --help, against node -e 0', help.wall, 'ms', { reference: node.wall, goal: atMost(150) }),
    row('slipway --help, CPU, against node -e 0', help.cpu, 'ms', { reference: node.cpu }),
    ...(await init({ root, folder, runs })),
  ];
}
