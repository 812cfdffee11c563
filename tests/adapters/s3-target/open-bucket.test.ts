import { openBucket } from '../../../src/adapters/s3-target/open-bucket.js';

const HERE = { name: 'files', address: 's3://releases/slipway' };
const opened = (username: string | null, password: string | null) => () =>
  openBucket({ ...HERE, username, password }, 'http://127.0.0.1:7070', {});

test.each([
  ['a username without a password', 'root', null, /^files: the profile has a username alone/],
  ['a password without a username', null, 'hunter2', /^files: the profile has a password alone/],
])(
  'given %s, when a bucket is opened, then it is refused, and the secret is not shown',
  (_, username, password, why) => {
    const message = expect.stringMatching(why) as unknown;
    expect(opened(username, password)).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ code: 'TARGET_CREDENTIALS_HALF', class: 'config', message })],
        message: expect.not.stringContaining('hunter2') as unknown,
      }),
    );
  },
);

test.each([
  ['both', 'root', 'hunter2', { accessKeyId: 'root', secretAccessKey: 'hunter2' }],
  ['neither', null, null, undefined],
])('given %s of username and password, when a bucket is opened, then it has its own credentials or none', (...row) => {
  const [, username, password, credentials] = row;
  expect(opened(username, password)().settings.credentials).toEqual(credentials);
});
