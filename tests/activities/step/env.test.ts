import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scrubbedEnv } from '../../../src/activities/step/env.js';
import { newHome } from '../../support/run-body.js';

const envOf = (env: Record<string, string>) =>
  scrubbedEnv({ toolsBin: '/tools', cache: '/cache', home: '/step', tmp: '/step/tmp', epoch: null, env });

test('given a user with rustup, then its toolchains are found although HOME is the step\\u2019s own', async () => {
  const user = await newHome();
  expect(envOf({ HOME: user })).not.toHaveProperty('RUSTUP_HOME');
  await mkdir(join(user, '.rustup'));
  await writeFile(join(user, '.rustup/settings.toml'), '');
  expect(envOf({ HOME: user })).toMatchObject({ HOME: '/step', RUSTUP_HOME: join(user, '.rustup') });
  expect(envOf({ HOME: user, RUSTUP_HOME: '/opt/rustup' })).toMatchObject({ RUSTUP_HOME: '/opt/rustup' });
});
