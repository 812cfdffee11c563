import { join } from 'node:path';
import { median, timed } from './measure.mjs';
import { atMost, row } from './rows.mjs';

/** What every command costs before it does anything. */
export async function start({ root }) {
  const node = await median(9, () => timed([process.execPath, '-e', '0']));
  const help = await median(9, () => timed([process.execPath, join(root, 'bin', 'slipway.js'), '--help']));
  return [row('slipway --help, against node -e 0', help, 'ms', { reference: node, goal: atMost(150) })];
}
