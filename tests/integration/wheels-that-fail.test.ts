/** @long @needs temporal registries sandbox */
import type { ServerResponse } from 'node:http';
import { listedIn } from '../activities/index/an-index.js';
import { anSdist } from '../support/an-sdist.js';
import { until } from '../support/until.js';
import { aWheelCache, listed, PLATFORMS, type WheelCache } from './a-wheel-cache.js';

let cache: WheelCache;
beforeAll(async () => {
  cache = await aWheelCache();
  cache.project('skiff', '1.0');
  cache.project('harbour', '1.0', BROKEN);
  cache.commit('skiff==1.0\nharbour==1.0\n');
});
afterAll(() => cache?.close());

const BROKEN = anSdist(
  ...(['harbour', '1.0'] as const),
  `if 'DREDGED' not in os.environ: sys.exit('fatal error: harbour.h: No such file or directory')`,
);
const known = (until: string): string =>
  `    known: [{ wheel: harbour, because: needs newer headers, until: ${until} }]\n`;
const RECIPE = `    with: { harbour: { env: { DREDGED: 'yes' } } }\n`;

const isListed = (project: string): boolean =>
  PLATFORMS.every((platform) => listedIn(cache.wheels.root, project, platform).length > 0);

/** Sends a file bit by bit until a condition holds, and then the rest. */
async function slowly(bytes: Buffer, response: ServerResponse, holds: () => boolean): Promise<void> {
  let asked = 0;
  let sent = 0;
  response.writeHead(200, { 'content-length': bytes.length });
  await until(() => {
    if (asked++ % 40 === 0 && sent < bytes.length - 1) response.write(bytes.subarray(sent, ++sent));
    return holds();
  });
  response.end(bytes.subarray(sent));
}

/** Runs the file as CI does. */
const refreshed = () => cache.slipway('run', '--wait');

test('given a project that does not build, then the rest is listed meanwhile, and runs fail until it is known, again after its day, and a recipe mends it', async () => {
  cache.upstream.file('harbour-1.0.tar.gz', (_, response) => void slowly(BROKEN, response, () => isListed('skiff')));
  const first = await refreshed();
  const step = 'wheels/harbour-1.0/cp311/debian-12';
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining(`slipway logs ${step}`) });
  expect(isListed('skiff')).toBe(true);
  expect((await cache.slipway('logs', step)).stdout).toContain('fatal error: harbour.h: No such file or directory');
  expect(isListed('harbour')).toBe(false);

  const again = await refreshed();
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('harbour==1.0 failed before: ') });

  cache.release(listed(known('2999-01-31')));
  expect(await refreshed()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing new: 2 here, 2 known') });

  cache.release(listed(known('2020-01-31')));
  expect((await refreshed()).code).toBe(1);
  expect((await cache.slipway('plan')).stdout).toContain('KNOWN_EXPIRED');

  cache.release(listed(known('2999-01-31') + RECIPE));
  const mended = await refreshed();
  expect(mended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${step} passed, although \`known\` lists it`),
  });
  expect(isListed('harbour')).toBe(true);
  expect((await cache.slipway('plan')).stdout).toContain('KNOWN_PASSES');
});
