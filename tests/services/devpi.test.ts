/** @needs services */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, basic } from '../../src/services/ask.js';
import { INDEX, login } from '../../src/services/catalog/devpi.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { socketOf } from '../../src/services/engine-folder.js';
import { aHome } from './a-home.js';

const quiet = { onLine: (): void => undefined };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the Python index of a home', () => {
  let home: string;
  let services: Services;
  let remove: () => void;
  const address = (): string => `unix://${socketOf(home, 'devpi')}`;
  const secret = (): string => readFileSync(join(home, 'keys', 'publish.key'), 'utf8').trim();
  const again = async (between: () => void): Promise<void> => {
    await services.down(quiet);
    between();
    await services.up(quiet);
  };
  const acl = async (): Promise<unknown> =>
    (JSON.parse((await ask(address(), INDEX))!.body) as { result: object }).result;

  beforeAll(async () => {
    const made = await aHome();
    ({ home, remove } = made);
    services = createServices(made.env, ['devpi']);
    await services.up(quiet);
  });
  afterAll(async () => {
    await services.down(quiet);
    remove();
  });

  test('given a lost secret, when `up` makes another, then devpi takes it, and no longer the former', async () => {
    const before = secret();
    await again(() => rmSync(join(home, 'keys', 'publish.key')));
    expect(secret()).not.toBe(before);
    expect(await login(address(), secret())).not.toBeNull();
    expect(await login(address(), before)).toBeNull();
  });

  test('given an index of an older version, when `up` runs, then test results need a login', async () => {
    expect(await acl()).toMatchObject({ acl_toxresult_upload: ['root'] });
    const token = (await login(address(), secret()))!;
    const older = await ask(address(), INDEX, {
      method: 'PATCH',
      headers: { ...JSON_TYPE, 'x-devpi-auth': basic('root', token).slice('Basic '.length) },
      body: JSON.stringify(['acl_toxresult_upload=:ANONYMOUS:']),
    });
    expect(older!.status).toBe(200);
    await again(() => undefined);
    expect(await acl()).toMatchObject({ acl_toxresult_upload: ['root'] });
  });
});
