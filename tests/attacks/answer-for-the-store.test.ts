/** @needs services s3 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/adapters/store/open.js';
import { createServices } from '../../src/services/create-services.js';
import { once as bytes } from '../../src/adapters/facts/index.js';
import { withS3 } from '../adapters/s3-store/a-server.js';
import { aHome } from '../services/a-home.js';

/** Only root can start a program as another user; one of our own at the port would be asked as well. */
const STRANGER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** Answers 200 to everything, and tells each request. */
const SERVER = `
require('node:http').createServer((asked, answer) => {
  console.log(asked.method, asked.url);
  asked.resume().on('end', () => answer.end('{}'));
}).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listens'));
`;
const quiet = { onLine: (): void => undefined };

withS3('[D1] another user answers at the port of the S3 server of a home', () => {
  test('given that the home is down, when it stores and reads, then nothing goes there', async () => {
    const { home, env, remove } = await aHome();
    const services = createServices({ ...env, SLIPWAY_STORE: '' }, ['staging', 's3']);
    await services.up({ ...quiet, store: 's3' });
    await (await openStore({}, home)).create('x', { by: 'us' });
    await services.down(quiet);
    const { s3 } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')) as { readonly s3: number };
    const stranger = spawn(process.execPath, ['-e', SERVER, String(s3)], { cwd: '/', env: {}, ...STRANGER });
    let heard = '';
    stranger.stdout.on('data', (text: Buffer) => (heard += text.toString()));
    try {
      await once(stranger.stdout, 'data');
      const store = await openStore({}, home, { ownServerIsUp: false });
      await expect(store.put(bytes('a source'))).rejects.toThrow();
      await expect(store.read('x')).rejects.toThrow();
      expect(heard).toBe('listens\n');
    } finally {
      stranger.kill('SIGKILL');
      remove();
    }
  });
});
