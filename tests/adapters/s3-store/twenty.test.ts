/** @long @needs s3 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Pointers } from '../../../src/activities/ports.js';
import { packageRoot } from '../../../src/adapters/home.js';
import { createS3Store } from '../../../src/adapters/s3-store/index.js';
import { openStore } from '../../../src/adapters/store/open.js';
import { newHome } from '../../support/run-body.js';
import { aServer, type Server, withS3 } from './a-server.js';

const MANY = 20;
const dist = (path: string): string => JSON.stringify(join(packageRoot(), 'dist', path));

/** A process of its own that opens the store, says so, waits for the start, acts once and prints what it got. */
const racer = (act: string): string => `
  const { openStore } = require(${dist('adapters/store/open.js')});
  const { compareVersions, parseVersion } = require(${dist('model/python/version.js')});
  const [home, number] = [process.argv[1], Number(process.argv[2])];
  const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
  void (async () => {
    const store = await openStore(process.env, home);
    await store.read('warm/up');
    say('ready');
    await new Promise((go) => process.stdin.once('data', go));
    process.stdin.pause();
    say(await (async () => { ${act} })());
  })();`;

async function race<T>(act: string, home: string, env: NodeJS.ProcessEnv): Promise<T[]> {
  const all = Array.from({ length: MANY }, (_, number) => {
    const child = spawn(process.execPath, ['-e', racer(act), home, String(number)], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  for (const { lines } of all) expect((await lines.next()).value).toBe('"ready"');
  const gone = all.map(({ child }) => once(child, 'exit'));
  for (const { child } of all) child.stdin.write('go\n');
  const answers = await Promise.all(
    all.map(async ({ lines }) => JSON.parse((await lines.next()).value as string) as T),
  );
  await Promise.all(gone);
  return answers;
}

const CREATE = `
  const bytes = Buffer.alloc(100_000, 'x');
  const { digest } = await store.put((async function* () { yield bytes; })());
  return { ...(await store.create('runs/r/result', { by: number })), digest };`;
/** Versions 1.0 … 1.19, in no order: 1.9 is below 1.10. */
const MOVE = `
  const version = '1.' + ((number * 7) % ${MANY});
  const newer = (now) => compareVersions(parseVersion(version), parseVersion(now.version)) > 0;
  return store.pointers.move('main/latest', { version }, newer);`;

interface Place {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pointers: Pointers;
}

function races(open: () => Promise<Place>): void {
  it('given twenty processes that write one key, then one wins, and the others read its bytes', async () => {
    const { home, env } = await open();
    const answers = await race<{ created: boolean; value: { by: number }; digest: string }>(CREATE, home, env);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ value }) => value.by)).size).toBe(1);
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1);
  });

  it('given twenty processes that move one pointer, then it ends at the highest version', async () => {
    const { home, env, pointers } = await open();
    const answers = await race<{ moved: boolean; value: { version: string } }>(MOVE, home, env);
    expect(answers.filter(({ value }) => value.version === '1.19').length).toBeGreaterThan(0);
    expect(await pointers.read('main/latest')).toEqual({ version: '1.19' });
  });
}

describe('a store in a folder', () =>
  races(async () => {
    const home = await newHome();
    const { pointers } = await openStore({}, home);
    return { home, env: { SLIPWAY_STORE: '' }, pointers };
  }));

withS3('a store on S3', () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  races(async () => ({
    home: await newHome(),
    pointers: createS3Store({ ...server.settings, prefix: 'race/' }, server.folder).pointers,
    env: {
      SLIPWAY_STORE: 's3://slipway/race',
      SLIPWAY_S3_ENDPOINT: server.settings.endpoint!,
      AWS_ACCESS_KEY_ID: server.settings.credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.settings.credentials!.secretAccessKey,
    },
  }));

  it('given many concurrent moves of one pointer, then no move is lost', async () => {
    const { pointers } = createS3Store(server.settings, server.folder);
    for (let round = 1; round <= 10; round += 1) {
      const name = `rounds/${round}`;
      const numbers = Array.from({ length: 20 }, (_, at) => (at * 7 + round) % 20);
      await Promise.all(numbers.map((number) => pointers.move(name, { number }, (now) => number > now.number)));
      expect(await pointers.read(name)).toEqual({ number: 19 });
    }
  });
});
