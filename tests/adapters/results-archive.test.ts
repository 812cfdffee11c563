import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOW_FILE, unpackResults } from '../../src/adapters/clusters/results-archive.js';
import { newHome } from '../support/run-body.js';

test.each([
  ['an hour behind', -3600],
  ['an hour ahead', 3600],
])('given a head whose clock is %s, when its results are unpacked, then files keep their age', async (_, aheadS) => {
  const home = await newHome();
  const [there, here] = [join(home, 'there'), join(home, 'here')];
  for (const folder of [there, here]) mkdirSync(folder);
  const now = Date.now() / 1000;
  for (const [name, ageS] of [['result.json', 1000] as const, [NOW_FILE, 0] as const]) {
    writeFileSync(join(there, name), '{}');
    utimesSync(join(there, name), now + aheadS - ageS, now + aheadS - ageS);
  }
  execFileSync('tar', ['-czf', join(home, 'out.tgz'), '-C', there, '.']);
  const aheadMs = await unpackResults(join(home, 'out.tgz'), here);
  expect(Math.abs(aheadMs / 1000 - aheadS)).toBeLessThan(60);
  expect(Math.abs(now - statSync(join(here, 'result.json')).mtimeMs / 1000 - 1000)).toBeLessThan(60);
  expect(existsSync(join(here, NOW_FILE))).toBe(false);
});
