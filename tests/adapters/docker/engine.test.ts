/** @needs registries docker */
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../../src/adapters/docker/connection.js';
import { WORKER_LABEL } from '../../../src/adapters/docker/ours.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { boot } from '../../../src/adapters/process/identity.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';
import { until } from '../../support/until.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;

withEngine('a real Docker engine', () => {
  const docker = createDocker(() => engine);
  const raw = connect(engine ?? 'unix:///none');
  const never = new AbortController().signal;
  const made: string[] = [];
  let folder: string;
  let registry: TestServer;
  let base: string;
  let local: string;

  const talk = (signal = never): { log: (text: string) => void; signal: AbortSignal; text: () => string } => {
    let text = '';
    return { log: (piece) => void (text += piece), signal, text: () => text };
  };
  const build = async (dockerfile: string, files: Record<string, string> = {}, signal = never): Promise<string> => {
    const context = await mkdtemp(join(folder, 'context-'));
    await mkdir(join(context, 'files'));
    await writeFile(join(context, 'files', 'Dockerfile'), `ARG BASE\nFROM \${BASE}\n${dockerfile}`);
    for (const [name, text] of Object.entries(files)) await writeFile(join(context, 'files', name), text);
    const reference = `slipway/test-build:${process.pid}`;
    made.push(reference);
    const said = talk(signal);
    const args = { BASE: base };
    await docker.engine.build(
      {
        context,
        dockerfile: 'files/Dockerfile',
        reference,
        args,
        labels: { 'skiff.kind': 'test' },
        epoch: 1735689600,
        platform: null,
        network: true,
      },
      said,
    );
    return said.text();
  };
  const run = (line: string, more: object = {}) =>
    docker.containers.run({
      image: base,
      platform: null,
      argv: ['sh', '-eu', '-c', line],
      cwd: '/tmp',
      env: {},
      mounts: [],
      network: false,
      labels: { 'slipway.test': String(process.pid) },
      limitMs: 900_000,
      signal: never,
      onOutput: () => undefined,
      ...more,
    });
  const ours = () => raw.listContainers({ all: true, filters: { label: [`slipway.test=${process.pid}`] } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-docker-'));
    registry = await startRegistry(join(folder, 'registry'));
    const tar = await writeTinyRootfs(join(folder, 'base.tar'));
    local = `slipway/test-base:${process.pid}`;
    await docker.engine.importTar(
      tar,
      { reference: local, labels: { 'slipway.step': 'bases/tiny' }, platform: null },
      talk(),
    );
    const pushed = `${registry.address}/bases/tiny:1`;
    await docker.engine.tag(local, pushed);
    made.push(local, pushed);
    base = `${registry.address}/bases/tiny@${await docker.engine.push(pushed, talk())}`;
  });
  afterAll(async () => {
    for (const image of made)
      await raw
        .getImage(image)
        .remove({ force: true })
        .catch(() => undefined);
    await registry?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test("given a pushed image, then the engine's digest is the registry's", async () => {
    const digest = base.split('@')[1]!;
    const seen = await docker.registry.find(registry.address, 'bases/tiny', digest, never);
    expect(seen?.digest).toBe(digest);
    expect(seen!.size).toBeGreaterThan(100_000);
    expect(await docker.registry.find(registry.address, 'bases/tiny', '1', never)).toEqual(seen);
    expect(await docker.registry.find(registry.address, 'bases/other', '1', never)).toBeNull();
  });

  test('given images, then it knows which are present', async () => {
    expect(await docker.engine.has(local, never)).toBe(true);
    expect(await docker.engine.has('slipway/absent:1', never)).toBe(false);
  });

  test('given a base by digest, then it builds with BuildKit and shows the output', async () => {
    const text = await build('COPY files/note.txt /note.txt\nRUN cat /note.txt\n', { 'note.txt': 'read me\n' });
    expect(text).toContain('read me');
    const { Config } = await raw.getImage(made.at(-1)!).inspect();
    expect(Config.Labels).toMatchObject({ 'skiff.kind': 'test' });
  });

  test('given a command that fails, then the build fails with its last lines', async () => {
    const failed = build('RUN echo so far so good && exit 3\n');
    await expect(failed).rejects.toMatchObject({
      problems: [
        { code: 'DOCKER_BUILD_FAILED', class: 'product', evidence: expect.arrayContaining(['so far so good']) },
      ],
    });
  });

  test('given a base that cannot be read, then the failure is of class infra', async () => {
    const good = base;
    base = `127.0.0.1:1/bases/tiny@sha256:${'0'.repeat(64)}`;
    await expect(build('RUN cat /dev/null\n')).rejects.toMatchObject({ problems: [{ class: 'infra' }] });
    base = good;
  });

  test('when we abort a build, then the engine ends it too', async () => {
    const abort = new AbortController();
    const mark = `98${process.pid}`;
    const building = build(`RUN sleep ${mark}\n`, {}, abort.signal);
    const ended = expect(building).rejects.toThrow();
    await until(() => sleeping(mark));
    abort.abort(new Error('asked to stop'));
    await ended;
    await until(async () => !(await sleeping(mark)));
  });

  test('given a container, then it has its mounts, output and exit status, and is removed', async () => {
    const host = join(folder, 'mounted');
    await mkdir(host);
    await writeFile(join(host, 'in.txt'), 'from outside\n');
    let output = '';
    const exit = await run('cat in.txt; echo $GREETING > out.txt; echo oops >&2; exit 7', {
      cwd: '/mounted',
      env: { GREETING: 'hello' },
      mounts: [{ host, path: '/mounted', writable: true }],
      onOutput: (text: string) => void (output += text),
    });
    expect(exit).toEqual({ code: 7, timedOut: false });
    expect(output).toContain('from outside\n');
    expect(output).toContain('oops\n');
    expect(await readFile(join(host, 'out.txt'), 'utf8')).toBe('hello\n');
    expect(await ours()).toEqual([]);
  });

  test('given a read-only mount, then writing to it fails', async () => {
    const exit = await run('echo x > /mounted/file', { mounts: [{ host: folder, path: '/mounted', writable: false }] });
    expect(exit.code).not.toBe(0);
  });

  test('when a container reaches its limit, then it is ended and reported as timed out', async () => {
    expect(await run('sleep 600', { limitMs: 300 })).toMatchObject({ timedOut: true });
    expect(await ours()).toEqual([]);
  });

  test('when we abort, then the container is removed', async () => {
    const abort = new AbortController();
    const running = run('sleep 600', { signal: abort.signal });
    const ended = expect(running).rejects.toThrow('asked to stop');
    await until(async () => (await ours()).length === 1);
    abort.abort(new Error('asked to stop'));
    await ended;
    expect(await ours()).toEqual([]);
  });

  test('when we abort, then TERM reaches child processes too, and later output is still read', async () => {
    const abort = new AbortController();
    let output = '';
    const inner = `trap "echo in order; exit 0" TERM; echo up; while :; do sleep 0.1; done`;
    const ended = run(`bash -c '${inner}'; echo and so is the shell`, {
      signal: abort.signal,
      onOutput: (text: string) => {
        output += text;
        if (text.includes('up')) abort.abort(new Error('asked to stop'));
      },
    });
    await expect(ended).rejects.toThrow('asked to stop');
    expect(output).toMatch(/^up\n[^]*in order\n[^]*and so is the shell\n/);
    expect(await ours()).toEqual([]);
  });

  test('given a container that ignores TERM, when we abort, then it is killed', async () => {
    const abort = new AbortController();
    const ended = run(`trap '' TERM; echo up; while :; do sleep 600; done`, {
      signal: abort.signal,
      onOutput: () => abort.abort(new Error('asked to stop')),
    });
    await expect(ended).rejects.toThrow('asked to stop');
    expect(await ours()).toEqual([]);
  });

  test('when containers are swept, then only those of dead workers are removed', async () => {
    const label = async (worker: string) =>
      raw.createContainer({
        Image: base,
        Cmd: ['sleep', '600'],
        Labels: { [WORKER_LABEL]: worker, 'slipway.test': String(process.pid) },
      });
    await label(`4194304@${boot()}:1`);
    const elsewhere = await label('1@another-boot:1');
    expect(await docker.sweep()).toBeGreaterThanOrEqual(1);
    expect((await ours()).map(({ Id }) => Id)).toEqual([elsewhere.id]);
    await elsewhere.remove();
  });

  test('given a network without a way out, then a container there reaches nothing that listens on every address of this machine', async () => {
    const reached: string[] = [];
    const server = createServer((peer) => {
      reached.push(String(peer.remoteAddress));
      peer.destroy();
    }).listen(0, '0.0.0.0');
    await once(server, 'listening');
    const network = await docker.machines.network(never);
    const gateway = (await raw.getNetwork(network.name).inspect()).IPAM?.Config?.[0]?.Gateway;
    const port = (server.address() as AddressInfo).port;
    const { code } = await run(`exec bash -c 'exec 3<>/dev/tcp/${gateway}/${port}'`, { network: network.name });
    expect([code, reached]).toEqual([1, []]);
    server.close();
    await network.remove();
  });

  test('given networks of a dead worker, of this one and of another machine, when they are swept, then only the first goes', async () => {
    const network = (name: string, worker: string): Promise<unknown> =>
      raw.createNetwork({ Name: `test-${process.pid}-${name}`, Internal: true, Labels: { [WORKER_LABEL]: worker } });
    const ours = async (): Promise<readonly string[]> =>
      (await raw.listNetworks()).map(({ Name }) => Name).filter((name) => name.startsWith(`test-${process.pid}-`));
    await network('dead', `4194304@${boot()}:1`);
    await network('elsewhere', '1@another-boot:1');
    const own = await docker.machines.network(never);
    await docker.sweep();
    expect(await ours()).toEqual([`test-${process.pid}-elsewhere`]);
    expect((await raw.listNetworks()).map(({ Name }) => Name)).toContain(own.name);
    await raw.getNetwork(`test-${process.pid}-elsewhere`).remove();
    await own.remove();
    expect((await raw.listNetworks()).map(({ Name }) => Name)).not.toContain(own.name);
  });
});

test('given no engine, then the problem differs from a refusal', async () => {
  const absent = createDocker(() => `unix://${join(tmpdir(), 'no-such-engine.sock')}`);
  await expect(absent.engine.has('x:1', new AbortController().signal)).rejects.toMatchObject({
    problems: [{ code: 'DOCKER_UNREACHABLE', class: 'infra' }],
  });
  expect(await absent.sweep()).toBe(0);
});

/** Whether a process of this machine sleeps for that long. */
async function sleeping(seconds: string): Promise<boolean> {
  const { readdir } = await import('node:fs/promises');
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line === `sleep\0${seconds}\0`) return true;
  }
  return false;
}
