/** @needs services */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { aHome } from '../services/a-home.js';
import { writeTinyRootfs } from '../support/tiny-rootfs.js';

const isRoot = process.getuid?.() === 0;
const signal = new AbortController().signal;
/** Packets of all programs of the machine, then raw IP. Perl needs no module for a socket, and is in every Debian base. */
const LISTEN = [
  'socket(S, 17, 3, 0x0300) ? print "packets: heard\\n" : print "packets: $!\\n";',
  'socket(S, 2, 3, 1) ? print "raw: heard\\n" : print "raw: $!\\n";',
].join(' ');
const REFUSED = /packets: Operation not permitted\s+raw: Operation not permitted/;

// Why it may be skipped: only root starts an engine of our own.
(isRoot ? describe : describe.skip)("a program with the machine's network listens to what others send", () => {
  let services: Services;
  let remove: () => void;
  let folder: string;
  const address = (): string => services.address('docker')!;
  const docker = createDocker(() => address());
  let log = '';
  const talk = { log: (text: string) => void (log += text), signal };

  beforeAll(async () => {
    const made = await aHome();
    ({ remove } = made);
    folder = await mkdtemp(join(tmpdir(), 'slipway-listen-'));
    services = createServices({ ...made.env, SLIPWAY_ENGINE: 'own' }, ['docker']);
    await services.up({ onLine: () => undefined });
    const tar = await writeTinyRootfs(join(folder, 'base.tar'), ['/usr/bin/perl', '/usr/bin/unshare']);
    await docker.engine.importTar(tar, { reference: 'tiny:1', labels: {}, platform: null }, talk);
  });
  beforeEach(() => (log = ''));
  afterAll(async () => {
    await services?.down({ onLine: () => undefined });
    remove?.();
    await rm(folder, { recursive: true, force: true });
  });

  const dockerfile = (line: string): string => `FROM tiny:1\nRUN ${JSON.stringify(['/bin/sh', '-c', line])}\n`;
  const build = async (line: string): Promise<void> => {
    await writeFile(join(folder, 'Dockerfile'), dockerfile(line));
    const image = { dockerfile: 'Dockerfile', reference: 'built:1', args: {}, labels: {}, platform: null };
    await docker.engine.build({ ...image, context: folder, epoch: 0, network: true }, talk);
  };

  test('when a line of a Dockerfile opens such a socket, then it is refused', async () => {
    await build(`perl -e '${LISTEN}'`);
    expect(log).toMatch(REFUSED);
  });

  test('when it takes a namespace of users for itself, then it still has no right over the network', async () => {
    await build(`unshare -Ur perl -e '${LISTEN}' || echo no namespace`);
    expect(log).toMatch(/no namespace|packets: Operation not permitted/);
    expect(log).not.toMatch(/^.*: heard$/m);
  });

  test('when the engine builds in the classic way, then it is refused too', async () => {
    const { pack } = await import('tar-stream');
    const context = pack();
    context.entry({ name: 'Dockerfile' }, dockerfile(`perl -e '${LISTEN}'`));
    context.finalize();
    const options = { version: '1', networkmode: 'host', t: 'classic:1' } as const;
    const answer = await connect(address()).buildImage(context as never, options);
    let said = '';
    for await (const piece of answer) said += String(piece);
    const lines = said.trim().split(/\r?\n/);
    log = lines.map((line) => (JSON.parse(line) as { stream?: string }).stream ?? line).join('');
    expect(log).toMatch(REFUSED);
  });

  test('when a container opens one, also by a program that is started in it later, then it is refused', async () => {
    const raw = connect(address());
    const container = await raw.createContainer({
      ...{ Image: 'tiny:1', Cmd: ['sleep', '600'], HostConfig: { NetworkMode: 'host' } },
    });
    await container.start();
    const exec = await container.exec({ Cmd: ['perl', '-e', LISTEN], AttachStdout: true, Tty: true });
    for await (const piece of await exec.start({ Tty: true })) log += String(piece);
    await container.remove({ force: true });
    expect(log).toMatch(REFUSED);
  });
});
