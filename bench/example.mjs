import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './measure.mjs';

/** The example, services up: as it is, and again with everything known. */
export async function example({ root, slipway, tell }) {
  const file = join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config.example, 'slipway.yaml');
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  await timed(slipway('up'));
  tell('the example, as the store is', seconds(await timed(slipway('run', file, '--wait'))));
  tell(
    'the example again, everything known',
    seconds(await timed(slipway('run', file, '--wait'))),
    'at most 5 s wanted',
  );
}
