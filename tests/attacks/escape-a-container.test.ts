/** @needs docker */
import { mkdtempSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { testEngine, writeTinyRootfs } from '../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
(engine === null ? describe.skip : describe)('[C3] a step in a container', () => {
  const docker = createDocker(() => engine);
  const image = `slipway/attack:${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-attack-'));
  let output = '';

  beforeAll(async () => {
    const tar = await writeTinyRootfs(join(folder, 'base.tar'));
    const talk = { log: () => undefined, signal: new AbortController().signal };
    await docker.engine.importTar(tar, { reference: image, labels: {}, platform: null }, talk);
  });
  afterAll(() => connect(engine!).getImage(image).remove({ force: true }));

  const run = (line: string, more: object = {}) => {
    output = '';
    return docker.containers.run({
      ...{ image, platform: null, argv: ['bash', '-c', line], cwd: '/tmp', env: {}, mounts: [], network: false },
      ...{ labels: {}, limitMs: 600_000, signal: new AbortController().signal },
      onOutput: (text) => void (output += text),
      ...more,
    });
  };

  test('when it opens a socket to a server of this machine, then it is refused without `network:`', async () => {
    let asked = 0;
    const server = createServer((socket) => socket.on('error', () => undefined).end(`${(asked += 1)}`));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const line = `exec 3<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}`;
    expect((await run(line)).code).not.toBe(0);
    expect(asked).toBe(0);
    expect((await run(line, { network: true })).code).toBe(0);
    server.close();
  });

  test('given `network: true`, then it has no right to open raw sockets, which hear what others send', async () => {
    const isSet = 'while read -r name set; do [ "$name" != CapBnd: ] || echo $(( 0x$set >> 13 & 1 )); done';
    expect((await run(`${isSet} < /proc/self/status`, { network: true })).code).toBe(0);
    expect(output).toBe('0\n');
  });

  test('when it writes into a shared cache, then only later programs of the step see that', async () => {
    const cache = join(folder, 'cache');
    mkdirSync(cache);
    writeFileSync(join(cache, 'wheel'), 'sound\n');
    const mounts = [{ host: cache, path: '/cache', writable: true, layer: join(folder, 'layer') }];
    await run('echo poison > /cache/wheel; cat /cache/wheel', { mounts });
    expect(output).toBe('poison\n');
    await run('cat /cache/wheel', { mounts });
    expect(output).toBe('poison\n');
    expect(readFileSync(join(cache, 'wheel'), 'utf8')).toBe('sound\n');
  });

  test('when it prints a secret, then the engine keeps no copy without redaction', async () => {
    const label = `slipway.attack=${process.pid}`;
    // The container stays until its output is taken.
    const logs: string[] = [];
    const onOutput = async (text: string): Promise<void> => {
      output += text;
      const all = await connect(engine!).listContainers({ all: true, filters: { label: [label] } });
      for (const { Id } of all) logs.push((await connect(engine!).getContainer(Id).inspect()).LogPath);
    };
    await run('echo token', { labels: { 'slipway.attack': `${process.pid}` }, onOutput });
    expect(output).toBe('token\n');
    expect(logs).toEqual(['']);
  });

  test("when it looks for the engine's socket, then there is none", async () => {
    await run('ls /var/run/docker.sock /run/docker.sock 2>&1; for f in /run/* /var/run/*; do echo "$f"; done');
    expect(output).not.toMatch(/^\/\S*docker\.sock$/m);
  });
});
