import { codec } from '../../src/services/catalog/codec.js';
import type { Context } from '../../src/services/catalog/context.js';

const FOUND = { PATH: '/usr/bin', HOME: '/home/ann', LANG: 'C.UTF-8' };
const CANARIES = Object.fromEntries(
  [
    ...['SLIPWAY_INDEX_PASSWORD', 'SLIPWAY_API_KEY', 'SLIPWAY_DATABASE', 'TEMPORAL_API_KEY', 'DOCKER_AUTH_CONFIG'],
    ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'PYPI_TOKEN', 'NODE_OPTIONS', 'HTTPS_PROXY'],
  ].map((name) => [name, 'canary']),
);
const SETTINGS = { SLIPWAY_BUILD_ENV: 'PYPI_TOKEN', SLIPWAY_STORE: 's3://releases/a' };
const envOf = (more: Record<string, string>) =>
  codec({
    home: '/h',
    packageRoot: '/p',
    env: { ...FOUND, ...CANARIES, ...SETTINGS, ...more },
  } as unknown as Context).launch();

test.each([
  ['a file', { SLIPWAY_CODEC_KEYS: 'file:~/codec.keys' }, {}],
  ['a variable', { SLIPWAY_CODEC_KEYS: ' $KEYS' }, { KEYS: 'id key' }],
  ['a command', { SLIPWAY_CODEC_KEYS: 'command:cat ~/codec.keys' }, {}],
])('given keys by %s, then the codec server gets what finds them, and no other credential', (_, setting, named) => {
  const launch = envOf({ ...setting, KEYS: 'id key' });
  expect(launch).toMatchObject({ scrubbed: true });
  expect(launch.env).toEqual({ ...FOUND, ...setting, ...named, SLIPWAY_HOME: '/h' });
});
