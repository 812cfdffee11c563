/** @long @needs tools compiler */
import type { Result } from '../../../src/model/result.js';
import type { Params } from '../../../src/model/params.js';
import { runBody, type BodyRun } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aLock, aSource, bodies, C_PROJECT, EPOCH, wheelStep } from './fixture.js';

let home: string;
let lock: Result;
let byUv: BodyRun;
beforeAll(async () => {
  home = await homeWithCache();
  lock = await aLock(home, 'cp312');
  byUv = await build({ builder: 'uv' });
});

const FLAGS = { CFLAGS: '-O2 -g0', LDSHARED: 'gcc -shared -Wl,--build-id=none' };

async function build(more: Partial<Params['buildWheel']>, inputs: readonly Result[] = [lock]): Promise<BodyRun> {
  const source = await aSource(home, C_PROJECT);
  return runBody(bodies.buildWheel, wheelStep({ env: FLAGS, ...more }), {
    home,
    inputs: [source, ...inputs],
    epoch: EPOCH,
  });
}

test.each(['pip', 'build'] as const)(
  'given the builder %s, then it uses the locked environment, and makes the same bytes as uv',
  async (builder) => {
    const { made, log } = await build({ builder });
    expect(log).not.toContain('Collecting setuptools');
    expect(made.artifacts).toEqual(byUv.made.artifacts);
  },
);

test('given no lock, then pip fetches the requirements of pyproject.toml', async () => {
  const { made } = await build({ builder: 'pip' }, []);
  expect(made.note).toMatch(/^cp312 manylinux.*_x86_64, 6 files$/);
});
