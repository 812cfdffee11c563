/** @slow */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../../src/activities/ports.js';
import { packageRoot } from '../../../src/adapters/home.js';
import { groupLives, identityOf, startOf } from '../../../src/adapters/process/identity.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { sweepGroups } from '../../../src/adapters/process/sweep.js';
import { newHome } from '../../support/run-body.js';
import { withMoreTime } from '../../support/more-time.js';
import { until } from '../../support/until.js';

const PATH = process.env['PATH']!;
const MIB = 1_048_576;

async function setUp(more: Partial<Command> = {}) {
  const home = await newHome();
  const running = join(home, 'running');
  const programs = createPrograms({ running, graceMs: 500 });
  const abort = new AbortController();
  const output: string[] = [];
  const run = (argv: Command['argv'], also: Partial<Command> = {}) =>
    programs.run({
      argv,
      cwd: home,
      env: { PATH },
      limitMs: 900_000,
      signal: abort.signal,
      onOutput: (text, stream) => void output.push(`${stream}:${text}`),
      ...more,
      ...also,
    });
  return { home, running, abort, output, run };
}

test('given arguments, stdin and environment, then a program gets exactly those', async () => {
  const { run, output } = await setUp();
  const script = 'printf "%s|" "$1" "$2"; cat; env | grep -v -e ^_= -e ^PWD= -e ^SHLVL= | sort';
  const exit = await run(['sh', '-c', script, 'sh', 'a b', '$HOME "x"'], {
    stdin: 'in\n',
    env: { PATH, ONLY: 'this' },
  });
  expect(exit).toEqual({ code: 0, timedOut: false });
  const printed = output.map((piece) => piece.replace(/^stdout:/, '')).join('');
  expect(printed).toBe(`a b|$HOME "x"|in\nONLY=this\nPATH=${PATH}\n`);
});

test.each([
  ['exit 7', 7],
  ['kill -9 $$', 137],
  ['kill -TERM $$', 143],
  ['false; echo never', 1],
])('given the shell line %j, then the exit status is %i', async (line, code) => {
  const { run } = await setUp();
  expect(await run(line)).toEqual({ code, timedOut: false });
});

test('given a program that cannot be recorded, then it is ended', async () => {
  const { home, running, run, output } = await setUp();
  await writeFile(running, 'a file where the folder of records should be');
  const error = await run(`echo $$ > pid; echo up; exec sleep 600`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ problems: [{ code: 'PROGRAM_REFUSED' }] });
  const pid = Number(await readFile(join(home, 'pid'), 'utf8').catch(() => '0'));
  if (pid > 0) await until(() => startOf(pid) === null);
  expect(output.length).toBeLessThanOrEqual(1);
});

test('given output that cannot be stored, then the program is ended before the error returns', async () => {
  const { home, run } = await setUp();
  const refused = run(`trap '' TERM; echo $$ > pid; echo up; sleep 600`, {
    onOutput: () => Promise.reject(new Error('the log is full')),
  });
  await expect(refused).rejects.toThrow('the log is full');
  expect(groupLives(Number(await readFile(join(home, 'pid'), 'utf8')))).toBe(false);
});

test('given stdout and stderr, then they arrive separately', async () => {
  const { run, output } = await setUp();
  await run('echo out; echo err >&2');
  expect(output.sort()).toEqual(['stderr:err\n', 'stdout:out\n']);
});

test('given /dev/stdout and /dev/stderr opened by name, then output arrives', async () => {
  const { run, output } = await setUp();
  const exit = await run('echo out > /dev/stdout; echo err >> /dev/stderr; echo both | tee /dev/stderr');
  expect(exit.code).toBe(0);
  const of = (stream: string) => output.flatMap((piece) => (piece.startsWith(stream) ? piece.slice(7) : [])).join('');
  expect([of('stdout'), of('stderr')]).toEqual(['out\nboth\n', 'err\nboth\n']);
});

test('when a program exceeds its limit, then its whole group is ended, even if it ignores TERM', async () => {
  const { run, home } = await setUp();
  const line = 'trap "" TERM; sleep 600 & echo $$ > leader; sleep 600; sleep 600';
  const leader = await withMoreTime(300, async (limitMs) => {
    expect((await run(line, { limitMs })).timedOut).toBe(true);
    return Number(await readFile(join(home, 'leader'), 'utf8').catch(() => '')) || null;
  });
  expect(groupLives(leader)).toBe(false);
});

test('when we abort, then the group has ended before the answer', async () => {
  const { run, home, abort } = await setUp();
  const ended = run('sleep 600 & echo $$ > leader; echo up; wait', { onOutput: () => abort.abort() });
  expect((await ended).code).toBe(143);
  expect(groupLives(Number(await readFile(join(home, 'leader'), 'utf8')))).toBe(false);
});

test('given background processes, then they end with their program', async () => {
  const { run, home } = await setUp();
  expect(await run('sleep 600 & echo $$ > leader')).toEqual({ code: 0, timedOut: false });
  expect(groupLives(Number(await readFile(join(home, 'leader'), 'utf8')))).toBe(false);
});

test('given a daemon in its own session that holds our pipe, then the program still ends', async () => {
  const { run, home, output } = await setUp();
  const line = `setsid -f sh -c 'echo $$ > daemon; exec sleep 600'; while [ ! -s daemon ]; do sleep 0.05; done; echo up`;
  expect(await run(line)).toEqual({ code: 0, timedOut: false });
  expect(output).toEqual(['stdout:up\n']);
  process.kill(Number(await readFile(join(home, 'daemon'), 'utf8')), 'SIGKILL');
});

test('given a program that cannot start, then it is named', async () => {
  const { run, home } = await setUp();
  await writeFile(join(home, 'plain.txt'), '');
  await expect(run(['no-such-program'])).rejects.toMatchObject({ first: { code: 'PROGRAM_MISSING', class: 'config' } });
  await expect(run([join(home, 'plain.txt')])).rejects.toMatchObject({ first: { code: 'PROGRAM_REFUSED' } });
  await expect(run(['true'], { cwd: join(home, 'none') })).rejects.toMatchObject({
    first: { code: 'WORKING_FOLDER_MISSING' },
  });
});

test('given a slow reader, then the program waits, and unread output stays within the pipes', async () => {
  const { run, home } = await setUp();
  const progress = join(home, 'progress');
  await writeFile(progress, '0');
  let taken = 0;
  let mostBacklog = 0;
  let takers = 0;
  let mostTakers = 0;
  await run(`for i in $(seq 64); do head -c ${MIB} /dev/zero; echo $i > next; mv next progress; done`, {
    onOutput: async (text) => {
      mostTakers = Math.max(mostTakers, ++takers);
      // A reader that does not wait for its taker reads many times in these turns of the event loop.
      for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
      const written = Number(readFileSync(progress, 'utf8')) * MIB;
      mostBacklog = Math.max(mostBacklog, written - taken);
      taken += text.length;
      takers--;
    },
  });
  expect(mostTakers).toBe(1);
  expect(taken).toBe(64 * MIB);
  expect(mostBacklog).toBeLessThan(4 * MIB);
});

test('given characters cut by the pipe, then they arrive whole', async () => {
  const { run, output } = await setUp();
  await run('printf "\\342"; sleep 0.1; printf "\\202\\254"');
  expect(output.join('')).toContain('€');
});

test('given many programs of one runner, then a slow reader of one does not delay others', async () => {
  const { run } = await setUp();
  let go = (): void => undefined;
  const taken = new Promise<void>((done) => (go = done));
  const slow = run('head -c 1000000 /dev/zero', { onOutput: () => taken });
  const told: string[][] = Array.from({ length: 8 }, () => []);
  const others = told.map((mine, at) =>
    run(`echo $PPID ${at}; exit ${at}`, { onOutput: (text) => void mine.push(text) }),
  );
  expect((await Promise.all(others)).map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const [parents, numbers] = [0, 1].map((part) => told.map((mine) => mine.join('').trim().split(' ')[part]));
  expect(new Set(parents).size).toBe(1);
  expect(numbers).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  go();
  expect(await slow).toEqual({ code: 0, timedOut: false });
});

test('given programs that end at once, then their output still arrives', async () => {
  const { run, output } = await setUp();
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 60; turn++) expect(await run('echo x')).toEqual({ code: 0, timedOut: false });
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  expect(output.join('').replaceAll('stdout:', '')).toBe('x\n'.repeat(240));
});

test('when a runner is killed, then its programs are reported as lost, and the next command gets another runner', async () => {
  const { run, running, home, output } = await setUp();
  const lost = run('echo $$ > leader; echo $PPID; sleep 600 & wait').catch((error: unknown) => error);
  const recorded = async () => (await readdir(running).catch((): string[] => [])).some((name) => name.endsWith('json'));
  await until(async () => output.length > 0 && (await recorded()));
  process.kill(Number(output[0]!.replace('stdout:', '')), 'SIGKILL');
  expect(await lost).toMatchObject({ first: { code: 'RUNNER_LOST', class: 'lost' } });
  const leader = Number(await readFile(join(home, 'leader'), 'utf8'));
  await until(() => !groupLives(leader));
  expect(await run('exit 3')).toEqual({ code: 3, timedOut: false });
});

test('when a runner is terminated and its pipes are gone, then the worker continues', async () => {
  const { run, running, output } = await setUp();
  const told = run('echo $PPID; sleep 600');
  await until(async () => output.length > 0 && (await readdir(running)).some((name) => name.endsWith('json')));
  const runner = Number(output[0]!.replace('stdout:', ''));
  process.kill(runner, 'SIGTERM');
  expect(await told).toEqual({ code: 143, timedOut: false });
  // Until the worker hears of the end, a program is lost with the runner.
  const again = () => run('ls -d /proc/$PPID > /dev/null; exit 5').catch(() => null);
  await until(async () => (await again())?.code === 5);
});

test('given a program that is ordered while its runner dies, then it fails alone, and the worker continues', async () => {
  const { run, output } = await setUp();
  await run('echo $PPID');
  process.kill(Number(output[0]!.replace('stdout:', '')), 'SIGKILL');
  await expect(run('exit 0')).rejects.toMatchObject({ first: { code: 'RUNNER_LOST' } });
  expect(await run('exit 4')).toEqual({ code: 4, timedOut: false });
});

test.each([
  ['now and then', 'while :; do echo x; sleep 0.3; done'],
  ['without end', 'exec yes'],
])('given a daemon in its own session that prints %s, then the program still ends', async (_, daemon) => {
  const { run, home } = await setUp();
  const line = `setsid -f sh -c 'echo $$ > daemon; ${daemon}'; while [ ! -s daemon ]; do sleep 0.05; done; echo up`;
  expect(await run(line)).toEqual({ code: 0, timedOut: false });
  await until(async () => startOf(Number(await readFile(join(home, 'daemon'), 'utf8'))) === null);
});

test('given an invalid argument, then it is refused, and the runner continues', async () => {
  const { run } = await setUp();
  await expect(run(['echo', 'a\0b'])).rejects.toMatchObject({ first: { code: 'PROGRAM_REFUSED' } });
  expect(await run('exit 4')).toEqual({ code: 4, timedOut: false });
});

/** A worker as a process of its own, that runs one shell line and is then killed. */
function startWorker(running: string, line: string, cwd: string, graceMs = 300) {
  const programs = JSON.stringify(join(packageRoot(), 'dist', 'adapters', 'process', 'programs.js'));
  const command = `{argv: ${JSON.stringify(line)}, cwd: ${JSON.stringify(cwd)}, env: {PATH: process.env.PATH}, limitMs: 600000,
    signal: new AbortController().signal, onOutput: () => {}}`;
  const code = `require(${programs}).createPrograms({running: ${JSON.stringify(running)}, graceMs: ${graceMs}}).run(${command})`;
  return spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
}

test("when the worker is killed, then the program's whole group ends, and its record is removed", async () => {
  const { home, running } = await setUp();
  const worker = startWorker(running, 'trap "" TERM; sleep 600 & sleep 600 & echo $$ > leader; wait; sleep 600', home);
  const leaderFile = join(home, 'leader');
  await until(async () => (await readFile(leaderFile, 'utf8').catch(() => '')) !== '');
  const leader = Number(await readFile(leaderFile, 'utf8'));
  await until(async () => (await readdir(running).catch((): string[] => [])).some((name) => name.endsWith('.json')));
  expect(groupLives(leader)).toBe(true);
  worker.kill('SIGKILL');
  await until(() => !groupLives(leader));
  await until(async () => (await readdir(running)).length === 0);
});

test('when the worker is killed, then its programs still have their grace time', async () => {
  const { home, running } = await setUp();
  const chatty = 'head -c 1000000 /dev/zero; echo; echo tidied > left; exit';
  const line = `trap "${chatty}" TERM; echo > ready; while :; do sleep 0.05; done`;
  const worker = startWorker(running, line, home, 600_000);
  await until(() => existsSync(join(home, 'ready')));
  worker.kill('SIGKILL');
  await until(() => existsSync(join(home, 'left')));
  await until(async () => (await readdir(running)).length === 0);
});

test('when worker and runner are both killed, then the sweep ends the group', async () => {
  const { home, running } = await setUp();
  const worker = startWorker(running, 'sleep 600 & echo $$ > leader; wait', home);
  await until(async () => (await readFile(join(home, 'leader'), 'utf8').catch(() => '')) !== '');
  const record = await (async () => {
    await until(async () => (await readdir(running).catch((): string[] => [])).some((name) => name.endsWith('.json')));
    return JSON.parse(await readFile(join(running, (await readdir(running))[0]!), 'utf8')) as {
      group: { pid: number };
      runner: { pid: number };
    };
  })();
  expect(await sweepGroups(running)).toEqual([]);
  process.kill(record.runner.pid, 'SIGSTOP');
  worker.kill('SIGKILL');
  process.kill(record.runner.pid, 'SIGKILL');
  await until(() => startOf(worker.pid!) === null && startOf(record.runner.pid) === null);
  expect(groupLives(record.group.pid)).toBe(true);
  expect(await sweepGroups(running)).toEqual([record.group.pid]);
  await until(() => !groupLives(record.group.pid));
  expect(await readdir(running)).toEqual([]);
});

test('given an unrelated process with the pid of an old record, then the sweep leaves it alone', async () => {
  const { running } = await setUp();
  const stranger = spawn('sleep', ['600'], { detached: true });
  const gone = { pid: 999_999_999, start: 'then' };
  await mkdir(running, { recursive: true });
  const group = { ...identityOf(stranger.pid!), start: 'another:1' };
  await writeFile(join(running, 'old.json'), JSON.stringify({ group, runner: gone, worker: gone }));
  expect(await sweepGroups(running)).toEqual([]);
  expect(groupLives(stranger.pid!)).toBe(true);
  stranger.kill('SIGKILL');
});
