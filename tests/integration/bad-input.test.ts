/** @long @needs services */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aHome } from '../services/a-home.js';
import { freePort } from '../support/free-port.js';
import { toolsBin } from '../../src/adapters/home.js';
import { expectGolden } from '../support/golden.js';
import {
  endPrograms,
  mayMount,
  ownDisk,
  serveFakeEngine,
  serveIndex,
  slipway,
  type OwnDisk,
  type Said,
  type Served,
} from '../support/own-services.js';
import { archive, MAKE_WHEEL } from '../support/tiny-projects.js';

/** Bad input that only a run meets: what the built program says, on real servers, for a real project each. */
const SDISTS = {
  'wrongsum-1.0.tar.gz': archive([{ name: 'wrongsum-1.0/README', text: 'hello\n' }]),
  'dotdot-1.0.tar.gz': archive([
    { name: 'dotdot-1.0/README', text: 'hello\n' },
    { name: 'dotdot-1.0/../../evil.sh', text: 'echo evil\n' },
  ]),
  'linkout-1.0.tar.gz': archive([
    { name: 'linkout-1.0/README', text: 'hello\n' },
    { name: 'linkout-1.0/etc', link: '../../../../etc' },
  ]),
} as const;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const DISKS = mayMount();
const folder = mkdtempSync(join(tmpdir(), 'slipway-bad-'));
let home: string;
let env: Record<string, string>;
let index: Served;
let engine: Served;
/** The first start, on a machine where somebody has taken a port of ours. */
let up: Said;
let over = false;
let store: OwnDisk | null = null;

const socket = (): string => join(folder, 'engine.sock');

beforeAll(async () => {
  home = (await aHome()).home;
  index = await serveIndex(SDISTS);
  engine = await serveFakeEngine(socket());
  if (DISKS) store = ownDisk(join(home, 'store'), 256);
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '/',
    SLIPWAY_HOME: home,
    DOCKER_HOST: `unix://${socket()}`,
    PIP_INDEX_URL: `http://127.0.0.1:${index.port}/simple/`,
    A_WRONG_TOKEN: 'hunter2',
  };
  const { maven } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')) as { maven: number };
  const stranger = createServer().listen(maven, '127.0.0.1');
  await once(stranger, 'listening');
  up = await slipway(folder, ['up'], env);
  stranger.close();
  if (up.code !== 0) throw new Error(up.stderr);
  // Gone from here on: nothing but `no-docker-engine` looks for it.
  await engine.close();
  startAll();
});
afterAll(async () => {
  over = true;
  endPrograms();
  await slipway(folder, ['down'], env);
  await index.close();
  store?.remove();
  for (const one of [home, folder]) rmSync(one, { recursive: true, force: true, maxRetries: 3 });
});

/** The release file of a project whose one wheel is written by a script. */
const release = (
  name: string,
  more: { source?: string; wheel?: string; rest?: string; version?: string } = {},
): string =>
  `slipway: 1
release: { name: ${name}, version: '${more.version ?? '1.0'}' }
source: ${more.source ?? '{ git: . }'}
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
  ${name}:
    builder: command
    python: none
    repair: false
    run: python {files}/make-wheel.py {out} ${name} {version} 'made = 1'
${more.wheel ?? ''}${more.rest ?? `publish:\n  index: { kind: python, files: [wheels/${name}] }\n`}`;

const sdist = (name: string, sum: string): string => `{ sdist: ${name}==1.0, sha256: ${sum} }`;
const sumOf = (name: string): string => sha256(SDISTS[`${name}-1.0.tar.gz` as keyof typeof SDISTS]);

/** Writes files of a project; a git repository too, with all of them in one more commit. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const at = join(folder, name);
  for (const [path, text] of Object.entries({ 'make-wheel.py': MAKE_WHEEL, ...files })) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd: at });
  git('init', '-q', '-b', 'main', '.');
  git('add', '.');
  git('commit', '-q', '-m', name);
  return at;
}

/** A script that mends nothing: what fails for good ends the run. */
const RUN = ['run', '--wait', '--on-hold', 'fail'] as const;
const run = (at: string, ...more: readonly string[]): Promise<Said> => slipway(at, [...RUN, ...more], env);

/** What differs from run to run and from machine to machine, and the lines of progress, whose order does. */
function plain(text: string): string {
  return (
    text
      .replace(/^\d{4}-\d{2}-\d{2}T.*\n/gm, '')
      .replace(/^(Time per stage|Critical path.*|Findings, kept in the manifest)\n(?: .*\n)+\n?/gm, '')
      .replaceAll(home, 'HOME')
      .replaceAll(folder, 'FOLDER')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'RUN')
      .replace(/(sha256:)?\b[0-9a-f]{64}\b/g, (_, prefix: string | undefined) => `${prefix ?? ''}DIGEST`)
      .replace(/\bsha256:[0-9a-f]{12}\b/g, 'sha256:DIGEST') // also one of digits alone
      .replace(/\b[0-9a-f]{40}\b/g, 'COMMIT')
      .replace(/\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{12}\b/g, 'DIGEST')
      // Two questions go out at once: either may be the first to hear nothing.
      .replace(/\+(api|simple\/): ECONN/, '…: ECONN')
      .replace(/\+f\/[0-9a-f]{3}\/[0-9a-f]{13}/g, '+f/DIGEST')
      .replace(/127\.0\.0\.1:(?!1\b)\d+/g, '127.0.0.1:PORT')
      .replace(/\b\d+(\.\d+)? (s|ms|min)( \d+ s)?\b/g, 'N s')
      .replace(/\bin \d+:\d+\b/g, 'in N s')
  );
}

const page = (said: Said, command: readonly string[] = RUN): string =>
  `$ slipway ${command.join(' ')}\n${plain(said.stderr + said.stdout).trimEnd()}\nexit ${said.code}\n`;

const address = (service: string): string =>
  (JSON.parse(readFileSync(join(home, 'services.json'), 'utf8')) as { services: Record<string, { address: string }> })
    .services[service]!.address;

/** What the index holds of a project, as any client is told. */
async function published(name: string): Promise<string> {
  const answer = await fetch(new URL(`+simple/${name}/`, address('index')));
  const files = answer.ok ? [...(await answer.text()).matchAll(/>([^<>]+\.whl)</g)].map((match) => match[1]!) : [];
  return `the index holds of ${name}: ${files.join(' ') || 'nothing'}\n`;
}

function told(name: string, ...pages: readonly string[]): void {
  const text = pages.join('\n');
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(text).not.toContain('hunter2');
  expectGolden(`bad-input/${name}.txt`, text);
}

/** Uploads a wheel as somebody would who has never heard of Slipway. */
async function uploadByHand(at: string, name: string): Promise<void> {
  execFileSync('python3', ['make-wheel.py', folder, name, '1.0', 'by = "somebody else"'], { cwd: at });
  const password = readFileSync(join(home, 'keys', 'publish.key'), 'utf8').trim();
  const wheel = join(folder, `${name}-1.0-py3-none-any.whl`);
  const twine = ['upload', '--repository-url', address('index'), '-u', 'root', '-p', password, wheel];
  const [code] = (await once(spawn(join(toolsBin(), 'twine'), twine, { stdio: 'ignore' }), 'close')) as [number];
  expect(code).toBe(0);
}

const OWN_PROFILE = (address: string, password: string): string =>
  `rehearsal: true\nkinds:\n  python: { address: '${address}', username: root, password: ${password} }\n`;

let tellLedger = (): void => undefined;
/** Something was published from here. */
const haveLedger = new Promise<void>((resolve) => (tellLedger = resolve));

/** Each is a project of its own, so they go side by side; the pages are compared one by one below. */
const CASES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'version-taken': async () => {
    const at = project('taken', { 'slipway.yaml': release('taken') });
    await uploadByHand(at, 'taken');
    // A ledger that knows nothing of a target cannot tell whose a version is.
    await haveLedger;
    const first = page(await run(at));
    return [first, await published('taken')];
  },
  'version-with-other-bytes': async () => {
    const at = project('other', { 'slipway.yaml': release('other') });
    const first = await run(at, '--json');
    tellLedger();
    const before = await published('other');
    project('other', { 'slipway.yaml': release('other').replace('made = 1', 'made = 2') });
    const second = page(await run(at));
    return [
      `# version 1.0 is released; exit ${first.code}\n`,
      before,
      '# its code changes, its version does not\n',
      second,
      await published('other'),
    ];
  },
  'same-plan-with-other-bytes': async () => {
    const random = `"made = '$(cat /proc/sys/kernel/random/uuid)'"`;
    const at = project('anew', { 'slipway.yaml': release('anew').replace("'made = 1'", random) });
    const first = await run(at, '--json');
    const second = page(await run(at, '--no-cache'), [...RUN, '--no-cache']);
    return [`# version 1.0 is rehearsed; exit ${first.code}\n`, '# its build is not reproducible\n', second];
  },
  'wrong-sha256': async () => {
    const at = project('wrongsum', {
      'slipway.yaml': release('wrongsum', { source: sdist('wrongsum', 'a'.repeat(64)) }),
    });
    const first = page(await run(at));
    project('wrongsum', { 'slipway.yaml': release('wrongsum', { source: sdist('wrongsum', sumOf('wrongsum')) }) });
    return [
      first,
      await published('wrongsum'),
      '# source.sha256 mended\n',
      page(await run(at)),
      await published('wrongsum'),
    ];
  },
  'archive-with-dots': async () => {
    const at = project('dotdot', { 'slipway.yaml': release('dotdot', { source: sdist('dotdot', sumOf('dotdot')) }) });
    return [page(await run(at)), await published('dotdot')];
  },
  'archive-with-links-out': async () => {
    const at = project('linkout', {
      'slipway.yaml': release('linkout', { source: sdist('linkout', sumOf('linkout')) }),
    });
    return [page(await run(at)), await published('linkout')];
  },
  'sdist-absent': async () => {
    const at = project('absent', { 'slipway.yaml': release('absent', { source: sdist('absent', 'a'.repeat(64)) }) });
    return [page(await run(at)), await published('absent')];
  },
  'wheel-without-the-commit': async () => {
    const wheel = `    commit: { file: nocommit/__init__.py, match: 'commit = "(.+)"' }\n`;
    const at = project('nocommit', { 'slipway.yaml': release('nocommit', { wheel }) });
    return [page(await run(at)), await published('nocommit')];
  },
  'queue-nobody-serves': async () => {
    const at = project('lonely', { 'slipway.yaml': release('lonely', { wheel: '    on: gpu\n' }) });
    return [page(await run(at)), await published('lonely')];
  },
  'registry-down': async () => {
    const files = {
      'profiles/own.yaml': OWN_PROFILE(`http://127.0.0.1:${await freePort()}/`, '$A_WRONG_TOKEN'),
    };
    const at = project('unheard', { 'slipway.yaml': release('unheard'), ...files });
    return [page(await run(at, '--profile', 'own'), [...RUN, '--profile', 'own'])];
  },
  'token-refused': async () => {
    const files = { 'profiles/own.yaml': OWN_PROFILE(address('index'), '$A_WRONG_TOKEN') };
    const at = project('denied', { 'slipway.yaml': release('denied'), ...files });
    return [page(await run(at, '--profile', 'own'), [...RUN, '--profile', 'own']), await published('denied')];
  },
  'token-not-set': async () => {
    const files = { 'profiles/own.yaml': OWN_PROFILE(address('index'), '$NO_SUCH_TOKEN') };
    const at = project('tokenless', { 'slipway.yaml': release('tokenless'), ...files });
    return [page(await run(at, '--profile', 'own'), [...RUN, '--profile', 'own']), await published('tokenless')];
  },
  'no-docker-engine': async () => {
    const rest = 'images:\n  engineless: { dockerfile: Dockerfile }\n';
    const files = { 'slipway.yaml': release('engineless', { rest }), Dockerfile: 'FROM scratch\n' };
    return [page(await run(project('engineless', files)))];
  },
  'no-temporal-server': async () => {
    const at = project('serverless', { 'slipway.yaml': release('serverless') });
    const none = await slipway(at, RUN, { ...env, SLIPWAY_HOME: join(folder, 'nothing') });
    const gone = await slipway(at, RUN, { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    return [page(none), page(gone, [...RUN, '  # TEMPORAL_ADDRESS=127.0.0.1:1'])];
  },
  'commit-absent': async () => {
    const at = project('nohead', { 'slipway.yaml': release('nohead', { source: '{ git: ., commit: v1.0 }' }) });
    return [page(await run(at))];
  },
  'wrong-release-file': async () => {
    const at = project('wrong', { 'slipway.yaml': release('../wrong', { wheel: '    tiemout: 5m\n' }) });
    return [page(await run(at))];
  },
};

/** As many at once as two cores carry. */
const AT_ONCE = 5;
const pages = new Map<string, Promise<readonly string[]>>();
function startAll(): void {
  const waiting = Object.entries(CASES);
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  for (const [number, [name, make]] of waiting.entries()) {
    const made = lanes[number % AT_ONCE]!.then(() => (over ? [] : make()));
    pages.set(name, made);
    lanes[number % AT_ONCE] = made.then(
      () => undefined,
      () => undefined, // told by the test of this name
    );
  }
}

test('given a taken port, when `up` runs, then its output equals the golden file', () => {
  const notes = up.stderr.split('\n').filter((line) => line.startsWith('note:'));
  told('port-taken', `$ slipway up\n${notes.join('\n').replace(/\d{4,5}/g, 'PORT')}\n…\nexit ${up.code}\n`);
});

test.each(Object.keys(CASES))('given the case %s, then the output equals its golden file', async (name) => {
  told(name, ...(await pages.get(name)!));
});

// Why it may be skipped: a disk of a test's own is mounted, which only root may do.
(DISKS ? describe : describe.skip)('a full disk', () => {
  beforeAll(async () => void (await Promise.allSettled(pages.values())));

  test('when it is too small for the plan, then that is found before anything is built', async () => {
    const at = project('low', { 'slipway.yaml': release('low') });
    const work = ownDisk(join(home, 'work'), 700);
    const first = page(await run(at)).replace(/\d+ MiB of disk/, 'N MiB of disk');
    work.remove();
    told('disk-low', first, await published('low'));
  });

  test('when it fills up, then the step is held; with space, the run continues from there', async () => {
    const rest = `steps:
  ready:
    run: echo ready > {out}/ready
    outputs: ['{out}/ready']
  big:
    run: head -c 30000000 /dev/zero > {out}/big
    outputs: ['{out}/big']
    needs: [steps/ready]
    retry: { infra: { times: 1, wait: 1s } }
`;
    const at = project('full', { 'slipway.yaml': release('full', { rest }) });
    store!.room(8 * 1024);
    const first = page(await run(at));
    store!.room(200 * 1024);
    told('disk-full', first, '# space was made\n', page(await run(at)));
  });

  test('when it has no byte left, then nothing starts', async () => {
    const at = project('brimful', { 'slipway.yaml': release('brimful') });
    store!.room(0);
    const first = page(await run(at));
    store!.room(200 * 1024);
    told('disk-full-at-once', first);
  });
});
