/** @needs sshd */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSshClusters } from '../../src/adapters/clusters/ssh.js';
import { openHost, type SshHost, type SshPlace } from '../../src/adapters/clusters/ssh-host.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { Problem } from '../../src/model/failure.js';
import { pidsWith, processesWith } from '../support/a-cluster-test.js';
import { makeSshd } from '../support/real-sshd.js';
import { newHome } from '../support/run-body.js';
import { until } from '../support/until.js';

const ENV = { PATH: '/usr/bin:/bin', HOME: '/tmp' };
const { signal } = new AbortController();

/** A place below a home; the "far" folders are on this machine too. */
async function aPlace() {
  const home = await newHome();
  const sshd = makeSshd(home);
  const place: SshPlace = {
    ...{ cluster: 'rack', host: 'rack', config: sshd.config, python: '/usr/bin/python3' },
    ...{ folder: join(home, 'near'), env: ENV },
  };
  const [at, temp] = [join(home, 'far'), join(home, 'temp')];
  const programs = createPrograms({ running: join(home, 'running'), graceMs: 1_000 });
  const open = (more: Partial<SshPlace> = {}): Promise<SshHost> =>
    openHost(programs, { ...place, ...more }, 1, at, [at, temp], signal);
  return { home, sshd, at, temp, open, programs };
}

/** Starts a program on the host that has a child, and that ignores SIGTERM. Its text is in the command lines of both. */
async function stubborn({ agent }: SshHost, text: string): Promise<void> {
  let said = '';
  const line = `trap '' TERM; sh -c 'trap "" TERM; setsid sleep 600; : ${text}' & echo begun; wait; : ${text}`;
  const argv = ['sh', '-c', line];
  const ran = agent.run({ argv, cwd: '/tmp', env: ENV, signal, onOutput: (more) => void (said += more) });
  ran.catch(() => undefined);
  await until(() => said.includes('begun') && processesWith(text).length > 1);
}

const problemOf = (ended: Promise<unknown>): Promise<Problem | undefined> =>
  ended.then(
    () => undefined,
    (error: { problems?: readonly Problem[] }) => error.problems?.[0],
  );

describe('given a real sshd', () => {
  test('when a program runs on the host, then its output and its status arrive', async () => {
    const { open } = await aPlace();
    const host = await open();
    let said = '';
    const onOutput = (text: string): void => void (said += text);
    const argv = ['sh', '-c', 'echo "on the host"; exit 7'];
    expect(await host.agent.run({ argv, cwd: '/tmp', env: ENV, signal, onOutput })).toBe(7);
    expect(said).toBe('on the host\n');
    await host.close();
  });

  test('when files are copied both ways, then they arrive whole', async () => {
    const { open, home, at } = await aPlace();
    const host = await open();
    writeFileSync(join(home, 'sent'), 'x'.repeat(300_000));
    await host.copy(`cat > '${at}/it'`, { from: join(home, 'sent') }, signal);
    await host.copy(`cat '${at}/it'`, { to: join(home, 'back') }, signal);
    expect(readFileSync(join(home, 'back'), 'utf8')).toBe('x'.repeat(300_000));
    await expect(host.copy('exit 9', { to: join(home, 'none') }, signal)).rejects.toThrow('ended with status 9');
    await host.close();
  });

  test('when a host sends more than the limit, then the rest is not kept, and the copy fails', async () => {
    const { open, home } = await aPlace();
    const host = await open();
    const to = join(home, 'much');
    const copied = host.copy('head -c 9000000 /dev/zero', { to, mostBytes: 1_000 }, signal);
    await expect(copied).rejects.toThrow('rack sent more than 1000 bytes');
    expect(statSync(to).size).toBe(1_001);
    await host.copy('printf whole', { to, mostBytes: 5 }, signal);
    expect(readFileSync(to, 'utf8')).toBe('whole');
    await host.close();
  });

  test('when the host is closed, then no program and no folder is left on it', async () => {
    const { open, home, at, temp } = await aPlace();
    const host = await open();
    await stubborn(host, `${home}-told`);
    await host.close();
    expect(processesWith(`${home}-told`)).toEqual([]);
    expect([at, temp].filter((folder) => existsSync(folder))).toEqual([]);
  });

  test('when the connection breaks, then the host ends all that it started by itself', async () => {
    const { open, home, at, temp } = await aPlace();
    await stubborn(await open(), `${home}-lost`);
    const ssh = pidsWith(`./node1.sock:${at}`);
    for (const pid of ssh) process.kill(pid, 'SIGKILL');
    await until(() => processesWith(`${home}-lost`).length === 0);
    await until(() => [at, temp].every((folder) => !existsSync(folder)));
  });

  test('when the host never starts its agent, and the start is cancelled, then the start ends at once with its connection', async () => {
    const { home, sshd, programs } = await aPlace();
    const hung = `${home}-hung`;
    mkdirSync(join(home, 'ray', 'bin'), { recursive: true });
    writeFileSync(join(home, 'ray', 'bin', 'python'), `#!/bin/sh\nsh -c 'cat; : ${hung}'\n`, { mode: 0o755 });
    const cancel = new AbortController();
    const manager = { by: 'ssh', hosts: ['rack'], ray: join(home, 'ray'), config: sshd.config } as const;
    const ended = createSshClusters(programs).up({
      spec: { name: 'rack', manager, nodes: 1, cpus: 1, upMs: 60_000 },
      ...{ id: home.split('/').at(-1)!, folder: join(home, 'near'), venv: null, env: ENV },
      ...{ confine: (command) => command, containers: null, signal: cancel.signal, log: () => undefined },
    });
    await until(() => processesWith(hung).length > 0);
    cancel.abort(new Error('cancelled by kim'));
    await expect(ended).rejects.toThrow('cancelled by kim');
    expect(pidsWith(sshd.config)).toEqual([]);
  });

  test('when it does not know the key, then the failure says so and is no outage', async () => {
    const { open, sshd } = await aPlace();
    const problem = await problemOf(open({ config: sshd.strangersConfig }));
    expect(problem).toMatchObject({ code: 'CLUSTER_REFUSED', class: 'denied' });
    expect(problem).not.toHaveProperty('service');
    expect(problem?.message).toContain('Permission denied');
  });
});

test('given a host that nobody reaches, then the failure is an outage of the cluster', async () => {
  const { open } = await aPlace();
  const problem = await problemOf(open({ host: 'nobody@host.invalid' }));
  expect(problem).toMatchObject({ code: 'CLUSTER_SILENT', class: 'infra', service: 'cluster:rack' });
});
