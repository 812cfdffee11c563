import { s3Settings } from '../../../src/adapters/s3-store/settings.js';

const settings = (env: NodeJS.ProcessEnv) => s3Settings('s3://releases/slipway', env);

test.each([
  [{}, false],
  [{ SLIPWAY_S3_ENDPOINT: 'http://127.0.0.1:7070' }, true],
  [{ SLIPWAY_S3_ENDPOINT: 'http://127.0.0.1:7070', SLIPWAY_S3_PATH_STYLE: '0' }, false],
  [{ SLIPWAY_S3_PATH_STYLE: '1' }, true],
  [{ SLIPWAY_S3_PATH_STYLE: 'true' }, true],
  [{ SLIPWAY_S3_ENDPOINT: 'http://127.0.0.1:7070', SLIPWAY_S3_PATH_STYLE: 'FALSE' }, false],
])('given %j, then the bucket is in the path: %s', (env, inPath) => expect(settings(env).pathStyle).toBe(inPath));

test('given a patience, then it is used; the default is five minutes', () => {
  expect([settings({}).patienceMs, settings({ SLIPWAY_S3_PATIENCE_MS: '0' }).patienceMs]).toEqual([300_000, 0]);
});

test.each([
  { SLIPWAY_S3_PATIENCE_MS: '5 min' },
  { SLIPWAY_S3_PATIENCE_MS: '-1' },
  { SLIPWAY_S3_PATIENCE_MS: 'NaN' },
  { SLIPWAY_S3_PATH_STYLE: 'path' },
  { SLIPWAY_S3_PATH_STYLE: 'constructor' },
])('given %j, then it is refused', (env) => {
  const [name, value] = Object.entries(env)[0]!;
  const refused = {
    code: 'STORE_SETTING_REFUSED',
    message: expect.stringContaining(value),
    next: expect.stringContaining(name),
  };
  expect(() => settings(env)).toThrow(expect.objectContaining({ problems: [expect.objectContaining(refused)] }));
});
