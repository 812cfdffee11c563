/** @long @needs python */
import { join } from 'node:path';
import type { Programs } from '../../../src/activities/ports.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { newHome, runBody, type RunBody } from '../../support/run-body.js';
import { aSource, bodies, EPOCH, handmade, wheelStep } from './fixture.js';

const SCRIPT = { 'skiff-1.2.data/scripts/skiff': '#!/bin/sh\n. @HERE@/venv/bin/activate\n' };
const ACCEPT = { accept: { BUILDER_PATH: 'nobody runs this script' } };

/** A wheel that is refused, and a count of how often it was built. */
async function aRefusedWheel() {
  const home = await newHome();
  let builds = 0;
  const real = createPrograms({ running: join(home, 'running') });
  const programs: Programs = {
    ...real,
    run: (command) => {
      builds += String(command.argv).includes('BUILT=1') ? 1 : 0;
      return real.run(command);
    },
  };
  const source = await aSource(home, { 'pyproject.toml': '' });
  const build = (more: Partial<Params['buildWheel']> = {}, options: RunBody = {}) => {
    const step = wheelStep({
      builder: 'command',
      run: `BUILT=1\n${handmade(SCRIPT)}`,
      env: { OUT: '{out}' },
      ...more,
    });
    const facts = { home, inputs: [source], epoch: EPOCH, reuse: true, surroundings: { programs } };
    return runBody(bodies.buildWheel, step, { ...facts, ...options });
  };
  await expect(build()).rejects.toMatchObject({ first: { code: 'BUILDER_PATH' } });
  return {
    home,
    build,
    built: () => builds,
  };
}

describe('a refused wheel', () => {
  test('when its finding is accepted, then the next run judges it again without a build', async () => {
    const { build, built } = await aRefusedWheel();
    const { made, log } = await build(ACCEPT, { run: '0123456789abcde0' });
    expect(built()).toBe(1);
    const accepted = made.findings!.filter(({ code }) => code === 'BUILDER_PATH');
    expect(accepted).toMatchObject([{ level: 'note', why: expect.stringContaining('nobody runs this script') }]);
    expect(made.note).toBe('py3 any, 4 files, built before');
    expect(log).toContain('bytes as run 0123456789abcdef made it');
  });

  test('when another commit check is configured, then it is not rebuilt', async () => {
    const { build, built } = await aRefusedWheel();
    const commit = { file: 'skiff/none.py', match: 'c=(.+)' };
    await expect(build({ ...ACCEPT, commit }, { run: '0123456789abcde0' })).rejects.toMatchObject({
      first: { code: 'COMMIT_FILE_ABSENT' },
    });
    expect(built()).toBe(1);
  });

  test('when it is retried in the same run, then it is rebuilt', async () => {
    const { build, built } = await aRefusedWheel();
    await expect(build({}, { attempt: 2 })).rejects.toMatchObject({ first: { code: 'BUILDER_PATH' } });
    expect(built()).toBe(2);
  });

  test.each<[string, Partial<Params['buildWheel']>, RunBody]>([
    ['another environment', { env: { OUT: '{out}', CFLAGS: '-O1' } }, {}],
    ['another toolchain', {}, { toolchain: { pin: `sha256:${'1'.repeat(64)}`, tools: {}, pythons: {} } }],
    ['--no-cache', {}, { reuse: false }],
  ])('given %s, then it is rebuilt', async (_, more, options) => {
    const { build, built } = await aRefusedWheel();
    await build({ ...more, ...ACCEPT }, { run: '0123456789abcde0', ...options });
    expect(built()).toBe(2);
  });

  test('given a store that lost its bytes, then it is rebuilt', async () => {
    const { home, build, built } = await aRefusedWheel();
    const store = createDirectoryStore(join(home, 'store'));
    const [name] = await store.list('known/');
    await store.setAside(name!, (await store.read<Result>(name!))!);
    await build(ACCEPT, { run: '0123456789abcde0' });
    expect(built()).toBe(2);
  });
});
