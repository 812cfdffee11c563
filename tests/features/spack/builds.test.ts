/** @needs sandbox compiler @slow */
import { existsSync, rmSync } from 'node:fs';
import { aLock, boatyardWith, hashOf } from './an-environment.js';
import { testSpack } from './contract.js';
import { DOUBLE, pathsOf, planned } from './planned.js';

describe('given the double', () => testSpack(DOUBLE));

test.each([
  ['fails', /^SPEC_FAILED: Spack could not build fails@1\.0 \(exit status 1\)/],
  ['leaves-nothing', /^SPEC_ABSENT: .* there is no manifest of it/],
  ['leaves-two', /^SPEC_ABSENT: .* it pushed other specs, leaves-two\/leaves-two-2-/],
  ['leaves-link', /^LINK_LEADS_OUT: /],
  ['leaves-other-bytes', /^SPEC_ABSENT: .* has another digest/],
])('given a spec that %s, then the step fails', async (name, message) => {
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ [name]: [] })));
  expect(hashOf(name)).toHaveLength(32);
  await expect(build(name)).rejects.toThrow(message);
});

test('given a spec that leaves a link where the worker writes, then nothing is written through it', async () => {
  const trap = '/tmp/slipway-trap-of-a-test';
  rmSync(trap, { force: true });
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ 'leaves-trap': [] })));
  expect(pathsOf(await build('leaves-trap'))).toHaveLength(3);
  expect(existsSync(trap)).toBe(false);
});
