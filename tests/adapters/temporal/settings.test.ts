import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverSettings } from '../../../src/adapters/temporal/settings.js';
import { newHome } from '../../support/run-body.js';

test('given no address in the environment, then the local one is used, else the default', () => {
  expect(serverSettings({ TEMPORAL_ADDRESS: 'far:7233' }, 'here:1')).toEqual({
    address: 'far:7233',
    namespace: 'default',
  });
  expect(serverSettings({ TEMPORAL_NAMESPACE: 'ours' }, 'here:1')).toEqual({ address: 'here:1', namespace: 'ours' });
  expect(serverSettings({}, null).address).toBe('127.0.0.1:7233');
});

test.each([
  ['TEMPORAL_TLS', { TEMPORAL_TLS: 'true' }, { tls: true }],
  ['an API key', { TEMPORAL_API_KEY: 'key' }, { tls: true, apiKey: 'key' }],
  ['an API key and TLS turned off', { TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' }, { apiKey: 'key' }],
  ['a server name', { TEMPORAL_TLS_SERVER_NAME: 'x' }, { tls: { serverNameOverride: 'x' } }],
])('given %s, then the settings are as expected', (_, env, more) => {
  expect(serverSettings(env, 'a:1')).toEqual({ address: 'a:1', namespace: 'default', ...more });
});

test('given certificate files, then they are read; an unreadable one is reported with its variable', async () => {
  const file = join(await newHome(), 'cert.pem');
  writeFileSync(file, 'pem');
  const env = { TEMPORAL_TLS_CLIENT_CERT_PATH: file, TEMPORAL_TLS_CLIENT_KEY_PATH: file };
  const pem = Buffer.from('pem');
  expect(serverSettings(env, null).tls).toEqual({ clientCertPair: { crt: pem, key: pem } });
  expect(() => serverSettings({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere' }, null)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' })] }),
  );
});
