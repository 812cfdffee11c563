import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../../src/services/catalog/context.js';
import { programs } from '../../../src/services/catalog/programs.js';
import { worker } from '../../../src/services/catalog/worker.js';

const home = mkdtempSync(join(tmpdir(), 'slipway-programs-'));
const env = { PATH: '/bin', HOOK: 'one', TOKEN: 'two', HOME: '/root', AWS_SECRET_ACCESS_KEY: 'three' };
const context = { home, env, packageRoot: '/slipway' } as unknown as Context;

test('given a home without hooks.yaml, then no door is kept', () => {
  expect(programs(context)).toEqual([]);
});

test('given a home with hooks.yaml, then the door gets its secret, and no other', async () => {
  writeFileSync(join(home, 'hooks.yaml'), 'token: $TOKEN\nsecret: "$HOOK"\n');
  const [door] = programs(context);
  expect(door).toMatchObject({ name: 'hooks', runsOurCode: true });
  const { argv, env: own, scrubbed } = door!.launch();
  expect(argv.at(-1)).toBe('/slipway/dist/features/campaigns/node/door/main.js');
  expect(scrubbed).toBe(true);
  expect(own).toEqual({ PATH: '/bin', HOME: '/root', HOOK: 'one', SLIPWAY_HOME: home });
});

test('given a program that wrote its ready file, then it answers, and tells its address', async () => {
  const [door] = programs(context);
  expect(await door!.answers(7)).toBe(false);
  mkdirSync(join(home, 'workers'));
  writeFileSync(join(home, 'workers', 'hooks.ready'), JSON.stringify({ pid: 7, address: '127.0.0.1:99' }));
  expect(await door!.answers(7)).toBe(true);
  expect(door!.state(7)).toMatchObject({ address: '127.0.0.1:99' });
  await door!.prepare(() => undefined);
  expect(await door!.answers(7)).toBe(false);
});

test('given a home whose addresses are not written yet, then the door waits as workers do', () => {
  const [door] = programs(context);
  expect(door!.after).toContain('temporal');
  expect(door!.after).toEqual(worker(context, 'control', 0, '').after);
});
