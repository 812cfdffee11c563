/** @needs services s3 */
import { readFileSync, statSync } from 'node:fs';
import { keyFile } from '../../src/adapters/store/choice.js';
import { openStore } from '../../src/adapters/store/open.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { withS3 } from '../adapters/s3-store/a-server.js';
import { until } from '../support/until.js';
import { aHome } from './a-home.js';

const quiet = { onLine: (): void => undefined };

withS3('slipway up --store s3', () => {
  let made: Awaited<ReturnType<typeof aHome>>;
  let services: Services;
  const open = () => openStore({}, made.home);

  beforeEach(async () => {
    made = await aHome();
    services = createServices({ ...made.env, SLIPWAY_STORE: '' }, ['staging', 's3']);
  });
  afterEach(async () => {
    await services.down(quiet);
    made.remove();
  });

  it('when `up` runs with the S3 store, then the home uses its server, with a key of its own', async () => {
    await services.up({ ...quiet, store: 's3' });
    const store = await open();
    expect(await store.create('x', { by: 'us' })).toEqual({ created: true, value: { by: 'us' } });
    expect(statSync(keyFile(made.home)).mode & 0o777).toBe(0o600);
    const key = readFileSync(keyFile(made.home), 'utf8');
    await services.down(quiet);
    await services.up(quiet);
    expect(readFileSync(keyFile(made.home), 'utf8')).toBe(key);
    expect(await (await open()).read('x')).toEqual({ by: 'us' });
  });

  it('when the server is killed, then it restarts, and waiting operations continue', async () => {
    await services.up({ ...quiet, store: 's3' });
    const store = await open();
    const { pid } = (
      JSON.parse(readFileSync(`${made.home}/services.json`, 'utf8')) as { services: { s3: { pid: number } } }
    ).services.s3;
    process.kill(pid, 'SIGKILL');
    expect(await store.create('after', {})).toMatchObject({ created: true });
    await until(() => services.address('s3') !== null);
  });

  it('when `up` selects a folder, then the store is there; an unknown store is refused', async () => {
    await services.up({ ...quiet, store: 's3' });
    await services.up({ ...quiet, store: 'directory' });
    expect(services.address('s3')).toBeNull();
    expect(await (await open()).read('x')).toBeNull();
    await expect(services.up({ ...quiet, store: 'gcs' })).rejects.toMatchObject({
      first: { code: 'STORE_KIND_UNKNOWN' },
    });
  });
});
