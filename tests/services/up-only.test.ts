/** @needs services */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { readChoice } from '../../src/adapters/store/choice.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { createServices } from '../../src/services/create-services.js';
import { newHome } from '../support/run-body.js';
import { aHome } from './a-home.js';

const quiet = { onLine: (): void => undefined };

test('given an unknown service, when `up` is to change the store too, then the store stays', async () => {
  const { home, env, remove } = await aHome();
  const asked = createServices(env).up({ ...quiet, store: 's3', only: ['nope'] });
  expect(await asked.catch((error: SlipwayFailure) => error.first.code)).toBe('SERVICES_UNKNOWN');
  expect(readChoice(home).kind).toBe('directory');
  remove();
});

test('given a home that joined another one, when it starts no service with a password, then it makes none', async () => {
  const { home, env, remove } = await aHome();
  const keys = join(await newHome(), 'keys');
  makeHomeKeys(keys);
  mkdirSync(join(home, 'keys'), { mode: 0o700 });
  for (const file of ['control.pub', 'worker.key']) copyFileSync(join(keys, file), join(home, 'keys', file));
  const services = createServices(env);
  try {
    await services.up({ ...quiet, only: ['staging'] });
    const made = (): readonly boolean[] =>
      ['staging', 'publish'].map((name) => existsSync(join(home, 'keys', `${name}.key`)));
    expect(made()).toEqual([false, false]);
    await services.down(quiet);
    await services.up({ ...quiet, only: ['staging', 'web'] });
    expect(made()).toEqual([true, true]);
  } finally {
    await services.down(quiet);
    remove();
  }
});
