import { plan } from '../../src/cli/commands/plan.js';
import { HEAD, planOf } from '../plan/a-plan.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const now = planOf(`${HEAD}wheels: { skiff: {} }\n`);
const made = { plan: now, digest: `sha256:${'a'.repeat(64)}` as const };
const input = { args: {}, options: { profile: 'local', against: 'last.json', json: true } };
const last = (...done: readonly string[]) => ({ release: { version: '0.9' }, done });

test('given a variant missing since the last release, then it is printed and the command exits with 1', async () => {
  const io = fakeIo();
  const json = last('wheels/skiff/cp313/macos-arm64');
  expect(await plan.run(input, io, fakePorts({ plan: made, json }))).toBe(1);
  expect(io.chatter.join('\n')).toContain('error: wheels/skiff cp313 macos-arm64 was in 0.9, is not in 1.0');
  expect(io.printed).toHaveLength(1);
});

test('given a plan with all variants of the last release, then it is complete', async () => {
  const io = fakeIo();
  const json = last('source/skiff', 'wheels/skiff/cp312/linux-x86_64');
  expect(await plan.run(input, io, fakePorts({ plan: made, json }))).toBe(0);
  expect(io.chatter.join('\n')).toContain('complete: all 1 variants of 0.9 are in it');
});

test.each([[undefined], [{}], ['text']])(
  'given the content %j, then it is refused as a previous release',
  async (json) => {
    await expect(plan.run(input, fakeIo(), fakePorts({ plan: made, json }))).rejects.toMatchObject({
      problems: [{ code: 'NOT_A_PREVIOUS_RELEASE' }],
    });
  },
);
