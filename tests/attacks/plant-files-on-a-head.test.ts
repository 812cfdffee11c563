/** @needs sshd python */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommandClusters } from '../../src/adapters/clusters/by-command.js';
import { createJobsClusters } from '../../src/adapters/clusters/jobs.js';
import { createSshClusters } from '../../src/adapters/clusters/ssh.js';
import { openHost } from '../../src/adapters/clusters/ssh-host.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { startFakeRay } from '../adapters/fake-ray.js';
import { makeSshd } from '../support/real-sshd.js';
import { newHome } from '../support/run-body.js';
import { until } from '../support/until.js';

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const asNobody = (line: string): string =>
  spawnSync('sh', ['-c', line], { ...NOBODY, cwd: '/', encoding: 'utf8' }).stdout;

const PLANTED = `/tmp/slipway-planted-${process.pid}`;

/** The head of a cluster has other users. One of them owns the folder that every test used before. */
(isRoot ? describe : describe.skip)('[D8] another user of a head (needs root) lays files where a test will be', () => {
  beforeEach(() => void asNobody('mkdir -m 777 /tmp/slipway'));
  afterEach(() => void asNobody(`rm -rf /tmp/slipway ${PLANTED}`));

  const requestOf = async (home: string) => ({
    ...{ id: home.split('/').at(-1)!, folder: join(home, 'test'), venv: null, env: { PATH: '/usr/bin:/bin' } },
    ...{ confine: <T>(command: T): T => command, containers: null, signal: new AbortController().signal },
    log: (): void => undefined,
  });

  test('given a Ray that runs, when they rename the folder of a test and lay a script there, then the script of the test runs', async () => {
    const home = await newHome();
    const ray = await startFakeRay(home);
    const request = await requestOf(home);
    mkdirSync(join(request.folder, 'out'), { recursive: true });
    writeFileSync(join(request.folder, 'run.sh'), 'echo ours\n');
    const cluster = await createJobsClusters().up({
      spec: { name: 'far', manager: { by: 'jobs', address: ray.address }, nodes: 1, cpus: 1, upMs: 60_000 },
      ...request,
    });
    await cluster.put();
    // They see the name once it is there. Results were packed at `.tgz`.
    asNobody(`at=${cluster.at}; mv $at $at.aside; mkdir $at; echo 'echo planted, by $(id -u)' > $at/run.sh
      ln -s ${home}/overwritten $at.tgz; echo 'echo planted' > $at/out/run.sh`);
    let said = '';
    const line = { script: join(cluster.at, 'run.sh'), by: 'job', id: `${request.id}-run`, endMs: 60_000 } as const;
    const more = {
      again: false,
      signal: request.signal,
      leaves: () => false,
      onOutput: (text: string) => void (said += text),
    };
    expect(await cluster.run({ ...line, ...more })).toBe(0);
    expect(said).toBe('ours\n');
    expect(statSync(cluster.at)).toMatchObject({ uid: process.getuid!(), mode: 0o40_700 });
    await cluster.get();
    asNobody(`rm -f ${cluster.at}.tgz`);
    expect(existsSync(join(home, 'overwritten'))).toBe(false);
    expect(await cluster.down()).toBeNull();
    expect(existsSync(cluster.at)).toBe(false);
    await ray.close();
  });

  test('given a cluster that an older build named, when it is removed, then no folder of theirs is followed', async () => {
    const home = await newHome();
    const ray = await startFakeRay(home);
    const request = await requestOf(home);
    mkdirSync(join(home, request.id));
    asNobody(`rmdir /tmp/slipway; ln -s ${home} /tmp/slipway`);
    const spec = {
      name: 'far',
      manager: { by: 'jobs', address: ray.address },
      nodes: 1,
      cpus: 1,
      upMs: 60_000,
    } as const;
    for (const handle of ['', `/tmp/slipway/${request.id}`]) {
      const found = await createJobsClusters().find({ spec, ...request }, handle);
      expect(await found.down()).toBeNull();
    }
    expect(existsSync(join(home, request.id))).toBe(true);
    expect(ray.ordered).toEqual([]);
    await ray.close();
  });

  test('given lines of a release file that make the cluster, then their folder is not below the one that another user made before', async () => {
    const home = await newHome();
    const request = await requestOf(home);
    mkdirSync(request.folder);
    writeFileSync(join(request.folder, 'run.sh'), 'echo ours\n');
    const lines = {
      ...{ up: 'echo "{}"', nodes: 'echo 1', get: 'true', run: 'sh "$SCRIPT"', down: 'rm -rf -- "$TO"' },
      put: 'mkdir -p "$TO" && cp "$FROM/run.sh" "$TO/"',
    };
    const spec = { name: 'far', manager: { by: 'command', lines }, nodes: 1, cpus: 1, upMs: 60_000 } as const;
    asNobody(`mkdir -m 777 /tmp/slipway/${request.id}`);
    const cluster = await createCommandClusters(createPrograms({ running: join(home, 'running') })).up({
      spec,
      ...request,
    });
    await cluster.put();
    asNobody(`for at in ${cluster.at} /tmp/slipway/${request.id}; do
      mv $at $at.aside; mkdir $at; rm -f $at/run.sh; echo 'echo planted, by $(id -u)' > $at/run.sh; done`);
    let said = '';
    const line = { script: join(cluster.at, 'run.sh'), by: 'job', id: `${request.id}-run`, endMs: 60_000 } as const;
    const onOutput = (text: string): void => void (said += text);
    const more = { again: false, signal: request.signal, leaves: () => false, onOutput };
    expect(await cluster.run({ ...line, ...more })).toBe(0);
    expect(said).toBe('ours\n');
    expect(await cluster.down()).toBeNull();
    expect(existsSync(cluster.at)).toBe(false);
  });

  test('given hosts by ssh, then the folders of a test are closed to them and not below theirs', async () => {
    const home = await newHome();
    const request = await requestOf(home);
    const [told, ray] = [join(home, 'told'), join(home, 'ray')];
    mkdirSync(join(ray, 'bin'), { recursive: true });
    // In place of Python: it notes its folders, and waits until the connection ends.
    writeFileSync(
      join(ray, 'bin', 'python'),
      `#!/bin/sh\nshift 2; echo "$*" > ${told}.half; mv ${told}.half ${told}; cat\n`,
      { mode: 0o755 },
    );
    const cancel = new AbortController();
    const manager = { by: 'ssh', hosts: ['rack'], ray, config: makeSshd(home).config } as const;
    const programs = createPrograms({ running: join(home, 'running'), graceMs: 1_000 });
    const spec = { name: 'rack', manager, nodes: 1, cpus: 1, upMs: 60_000 };
    const ended = createSshClusters(programs).up({ spec, ...request, signal: cancel.signal });
    await until(() => existsSync(told));
    const [socket, ...folders] = readFileSync(told, 'utf8').trim().split(' ');
    expect(folders).toHaveLength(2);
    expect(socket).toBe(`${folders[0]}/agent.sock`);
    for (const folder of folders) {
      expect(folder).toMatch(/^\/tmp\/slipway-[0-9a-f]{16}$/);
      expect(statSync(folder)).toMatchObject({ uid: process.getuid!(), mode: 0o40_700 });
    }
    cancel.abort(new Error('cancelled by kim'));
    await expect(ended).rejects.toThrow('cancelled by kim');
    spawnSync('rmdir', folders);
  });

  test.each([
    ['a folder of theirs', (at: string) => `mkdir -m 777 ${at}`],
    ['a link to their folder', (at: string) => `ln -s /tmp/slipway ${at}`],
  ])('given %s at the name of a host, then the host is refused, and nothing is put there', async (_, plant) => {
    const home = await newHome();
    const at = PLANTED;
    asNobody(plant(at));
    const before = asNobody(`ls -A ${at}/`);
    const place = {
      ...{ cluster: 'rack', host: 'rack', config: makeSshd(home).config, python: '/usr/bin/python3' },
      ...{ folder: join(home, 'near'), env: { PATH: '/usr/bin:/bin', HOME: '/tmp' } },
    };
    const programs = createPrograms({ running: join(home, 'running'), graceMs: 1_000 });
    const opened = openHost(programs, place, 1, at, [at], new AbortController().signal);
    await expect(opened).rejects.toThrow(/File exists/);
    expect(asNobody(`ls -A ${at}/`)).toBe(before);
  });
});
