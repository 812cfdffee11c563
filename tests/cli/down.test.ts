import { down } from '../../src/cli/commands/down.js';
import { up } from '../../src/cli/commands/up.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, recentOf } from './fake-ports.js';

/** Lines that `down` prints before it ends anything. */
async function told(runs: ReleaseClient['runs']): Promise<readonly string[]> {
  const io = fakeIo();
  expect(await down.run({ args: {}, options: {} }, io, fakePorts({ client: { ...fakeClient([]), runs } }))).toBe(0);
  expect(io.printed).toEqual(['down']);
  return io.chatter;
}
const open = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...recentOf(inTheMiddle()), workflowId: `release/skiff/${at}` }));

test('given open runs, then `down` names five, counts the rest, and leaves out those that have ended', async () => {
  expect(await told(async () => [recentOf(rehearsed()), ...open(7)])).toEqual([
    'open, and goes on at the next `slipway up`:',
    ...[0, 1, 2, 3, 4].map((at) => `  release/skiff/${at}`),
    '  and 2 more: slipway runs',
  ]);
});

test('given more open runs than a page of the server has, then all are counted', async () => {
  expect(await told(async (limit) => open(2_500).slice(0, limit))).toContain('  and 2495 more: slipway runs');
});

test('given no open run, then `down` names none', async () => {
  expect(await told(async () => [recentOf(rehearsed())])).toEqual([]);
});

test('given a server that does not answer, then `down` ends the services all the same', async () => {
  expect(await told(() => Promise.reject(new Error('no answer')))).toEqual([]);
});

test('given an address for indexes of wheels, then `up` names their status page', async () => {
  const io = fakeIo();
  expect(await up.run({ args: {}, options: {} }, io, fakePorts({ client: fakeClient([]) }))).toBe(0);
  expect(io.printed.at(-1)).toMatch(/^indexes of wheels: .*PLATFORM\/simple\/status\.html$/);
});
