/** @needs openssl */
import { mkdirSync, readdirSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverSettings } from '../../../src/adapters/temporal/settings.js';
import { keepDoorCertificates } from '../../../src/services/certificates.js';
import { newHome } from '../../support/run-body.js';

test('given no address in the environment, then that of the home is used, and there is no default', () => {
  expect(serverSettings({ TEMPORAL_ADDRESS: 'far:7233' }, { address: 'here:1' })).toEqual({
    address: 'far:7233',
    namespace: 'default',
  });
  expect(serverSettings({ TEMPORAL_ADDRESS: '' }, { address: 'here:1' }).address).toBe('here:1');
  for (const env of [{}, { TEMPORAL_NAMESPACE: 'ours' }, { TEMPORAL_ADDRESS: '' }])
    expect(() => serverSettings({ SLIPWAY_HOME: '/nowhere', ...env }, null)).toThrow(
      /^SERVICES_DOWN: .* in the home \/nowhere, and TEMPORAL_ADDRESS is not set$/,
    );
});

test.each([
  ['TEMPORAL_TLS', { TEMPORAL_TLS: 'true' }, { tls: true }],
  ['an API key', { TEMPORAL_API_KEY: 'key' }, { tls: true, apiKey: 'key' }],
  ['an API key and TLS turned off', { TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' }, { apiKey: 'key' }],
  ['a server name', { TEMPORAL_TLS_SERVER_NAME: 'x' }, { tls: { serverNameOverride: 'x' } }],
])('given %s, then the settings are as expected', (_, env, more) => {
  const far = { TEMPORAL_ADDRESS: 'a:1', ...env };
  expect(serverSettings(far, { address: 'here:1' })).toEqual({ address: 'a:1', namespace: 'default', ...more });
});

test('given certificates in files or as texts, then they are read, and an empty text counts as none; an unreadable one is reported with its variable', async () => {
  const file = join(await newHome(), 'cert.pem');
  writeFileSync(file, 'pem');
  const env = { TEMPORAL_ADDRESS: 'a:1', TEMPORAL_TLS_CLIENT_CERT_PATH: file, TEMPORAL_TLS_CLIENT_KEY_PATH: file };
  const text = { TEMPORAL_ADDRESS: 'a:1', TEMPORAL_TLS_CLIENT_CERT_DATA: 'pem', TEMPORAL_TLS_CLIENT_KEY_DATA: 'pem' };
  const pem = Buffer.from('pem');
  for (const one of [env, text, { ...env, ...text, TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere' }])
    expect(serverSettings(one, null).tls).toEqual({ clientCertPair: { crt: pem, key: pem } });
  const unset = { TEMPORAL_NAMESPACE: '', TEMPORAL_API_KEY: '', SLIPWAY_MARK: '', TEMPORAL_TLS_CLIENT_CERT_DATA: '' };
  expect(serverSettings({ TEMPORAL_ADDRESS: 'a:1', ...unset }, null)).toEqual({ address: 'a:1', namespace: 'default' });
  expect(() => serverSettings({ TEMPORAL_ADDRESS: 'a:1', TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere' }, null)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' })] }),
  );
});

test('given a certificate of the environment, when it is over, then the failure names its file, its subject and its end', async () => {
  const folder = join(await newHome(), 'door');
  keepDoorCertificates(folder);
  const [file, key] = ['client.pem', 'client.key'].map((name) => join(folder, name)) as [string, string];
  const env = { TEMPORAL_ADDRESS: 'a:1', TEMPORAL_TLS_CLIENT_CERT_PATH: file, TEMPORAL_TLS_CLIENT_KEY_PATH: key };
  expect(serverSettings(env, null).tls).toMatchObject({ clientCertPair: { crt: readFileSync(file) } });
  jest.useFakeTimers({ now: Date.now() + 900 * 24 * 3_600_000 });
  try {
    expect(() => serverSettings(env, null)).toThrow(
      /^CERTIFICATE_EXPIRED: .* CN=.* expired on .* GMT \(.*\/client\.pem\)$/,
    );
  } finally {
    jest.useRealTimers();
  }
});

describe('given a home with a door', () => {
  let folder: string;
  const recorded = () => ({ address: 'here:1', certificates: folder });
  const unusable = (said: RegExp) =>
    expect.objectContaining({
      problems: [
        expect.objectContaining({
          code: 'DOOR_CERTIFICATE_UNUSABLE',
          message: expect.stringMatching(said) as string,
          next: expect.stringContaining('slipway up') as string,
        }),
      ],
    });
  beforeEach(async () => {
    folder = join(await newHome(), 'door');
    keepDoorCertificates(folder);
  });
  afterEach(() => jest.useRealTimers());

  test('then its certificates are sent to its address, and none to another', () => {
    const [ca, crt, key] = ['ca.pem', 'client.pem', 'client.key'].map((name) => readFileSync(join(folder, name)));
    expect(serverSettings({ TEMPORAL_TLS: 'false' }, recorded()).tls).toEqual({
      ...{ serverNameOverride: 'temporal', serverRootCACertificate: ca, clientCertPair: { crt, key } },
    });
    expect(serverSettings({ TEMPORAL_ADDRESS: 'far:1' }, recorded())).not.toHaveProperty('tls');
    expect(serverSettings({ SLIPWAY_MARK: 'theirs' }, recorded()).mark).toBeNull();
  });

  test('given the API key and the namespace of another server, then this home’s server gets neither', () => {
    const foreign = { TEMPORAL_API_KEY: 'theirs', TEMPORAL_NAMESPACE: 'theirs', TEMPORAL_TLS: 'true' };
    for (const env of [foreign, { ...foreign, TEMPORAL_ADDRESS: 'here:1' }]) {
      const settings = serverSettings(env, recorded());
      expect(settings).not.toHaveProperty('apiKey');
      expect(settings.namespace).toBe('default');
    }
    expect(serverSettings(foreign, { address: 'here:1' })).toEqual({ address: 'here:1', namespace: 'default' });
  });

  test.each([
    ['absent', () => rmSync(join(folder, 'client.pem')), /cannot be read: ENOENT/],
    ['broken', () => writeFileSync(join(folder, 'client.key'), 'no key'), /cannot be read/],
    ['expired', () => jest.useFakeTimers({ now: Date.now() + 900 * 24 * 3_600_000 }), /expires on/],
    ['of another home', () => copyForeign(folder), /is not of this home/],
  ])('when they are %s, then the problem says to type `slipway up`, which makes new ones', async (_, spoil, said) => {
    await spoil();
    expect(() => serverSettings({}, recorded())).toThrow(unusable(said));
    jest.useRealTimers();
    if (_ !== 'expired') keepDoorCertificates(folder);
    expect(serverSettings({}, recorded()).tls).toBeDefined();
  });
});

test('given an openssl that fails midway, then the key of the authority is removed all the same', async () => {
  const folder = join(await newHome(), 'door');
  mkdirSync(join(folder, 'server.key'), { recursive: true });
  expect(() => keepDoorCertificates(folder)).toThrow(/openssl/);
  expect(readdirSync(folder).toSorted()).toEqual(['ca.pem', 'server.key']);
});

async function copyForeign(folder: string): Promise<void> {
  const other = join(await newHome(), 'door');
  keepDoorCertificates(other);
  for (const name of ['client.pem', 'client.key']) copyFileSync(join(other, name), join(folder, name));
}
