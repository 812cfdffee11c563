/** @slow */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expectGolden } from '../support/golden.js';
import { HEAD } from './a-plan.js';

const ROOT = join(__dirname, '..', '..');
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries({ [`${name}/.keep`]: '', ...files })) {
    const file = join(root, path.startsWith(name) ? path : join(name, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return join(root, name);
}

/** The built program, as a person runs it in the release file's folder. */
function slipway(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, umask = '022') {
  const line = `umask ${umask}; exec "$0" "$@"`;
  const argv = ['-c', line, process.execPath, join(ROOT, 'bin', 'slipway.js'), ...args];
  const { status, stdout, stderr } = spawnSync('sh', argv, {
    cwd,
    encoding: 'utf8',
    env: { PATH: `${join(ROOT, 'bin')}:${process.env['PATH'] ?? ''}`, ...env },
  });
  return { status, stdout, stderr };
}

const NEEDS = `${HEAD}deps:\n  build: { requires: [x] }\nwheels:\n  skiff: { needs: [deps/bild] }\n`;
const CYCLE = `${HEAD}wheels:\n  a: { needs: [steps/b] }\nsteps:\n  b: { run: make, needs: [wheels/a] }\n`;
const MANY = `slipway: 1
release: { name: ../skiff, version: 1.10 }
source: { sdist: skiff==1.10, sha256: abc }
platforms: [linux-x86_64]
pythons: [3.10, cp311]
gates: { ship: {} }
wheels:
  skiff:
    bilder: uv
    timeout: 30
    platfroms: [x]
publish:
  index: { kind: central, files: [] }
`;

/** A real folder for each: what stands there, and what is asked of it. */
const CASES: readonly [name: string, files: Readonly<Record<string, string | Uint8Array>>, args?: readonly string[]][] =
  [
    ['no file at all', {}],
    ['many problems at once', { 'slipway.yaml': MANY }],
    ['a need that is not there', { 'slipway.yaml': NEEDS }],
    ['a cycle', { 'slipway.yaml': CYCLE }],
    ['zero variants', { 'slipway.yaml': `${HEAD}wheels:\n  skiff: { exclude: [{ platform: linux-x86_64 }] }\n` }],
    ['a missing Dockerfile', { 'slipway.yaml': `${HEAD}images:\n  skiff: { dockerfile: docker/Dockerfile }\n` }],
    ['a queue nobody knows', { 'slipway.yaml': `${HEAD}wheels:\n  skiff: { on: linux-x86-64 }\n` }],
    ['a file of 11 MB', { 'slipway.yaml': HEAD + '#'.repeat(11_000_000) }],
    ['5,000 brackets', { 'slipway.yaml': `${HEAD}deps: ${'['.repeat(5000)}${']'.repeat(5000)}\n` }],
    [
      'an alias bomb',
      {
        'slipway.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n`,
      },
    ],
    ['a binary file', { 'slipway.yaml': Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0xfe]) }],
    ['not YAML', { 'slipway.yaml': `${HEAD}wheels: { skiff: [ }\n` }],
    ['a profile that is not there', { 'slipway.yaml': HEAD }, ['--profile', 'lokal']],
    [
      'a profile with a written secret',
      {
        'slipway.yaml': HEAD,
        'profiles/own.yaml': 'rehearsal: true\nkinds:\n  python: { address: x, password: hunter2 }\n',
      },
      ['--profile', 'own'],
    ],
    ['a repository that is not there', { 'slipway.yaml': HEAD.replace(/sdist.*}/, 'git: ../nowhere }') }],
  ];

test('given bad release files, then `slipway check` prints the expected problems', () => {
  const pages = CASES.map(([name, files, args = []]) => {
    const { status, stdout, stderr } = slipway(write(name.replaceAll(' ', '-'), files), ['check', ...args]);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
    return `## ${name}\n\n$ slipway ${['check', ...args].join(' ')}\n${stderr}exit ${status}\n`;
  });
  expectGolden('plan/bad-input.txt', pages.join('\n'));
});

test('given a link out of the folder, then the release file is refused', () => {
  const folder = write('link', { 'slipway.yaml': HEAD });
  symlinkSync('/etc/hostname', join(folder, 'name'));
  expect(slipway(folder, ['check'])).toMatchObject({ status: 2, stderr: expect.stringContaining('BUNDLE_LINK') });
});

test('given two clones with another path, TZ, LANG, umask and HOME, then their plans are the same', () => {
  const text = `${HEAD.replace(/sdist.*}/, 'git: ., commit: main }')}tests:\n  t: { needs: [wheels/skiff], run: 'sh {files}/t.sh', expect: 'ok {commit}' }\nwheels: { skiff: {} }\n`;
  const first = write('first', { 'slipway.yaml': text, 't.sh': 'echo ok', 'b/x': '' });
  chmodSync(join(first, 't.sh'), 0o755);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd: first });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const second = join(root, 'elsewhere', 'second');
  mkdirSync(dirname(second));
  spawnSync('sh', ['-c', `umask 077; git clone -q ${first} ${second}`]);
  const one = slipway(first, ['plan', '--json'], { TZ: 'UTC', LANG: 'C', HOME: root });
  const two = slipway(
    second,
    ['plan', '--json', 'slipway.yaml'],
    { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', HOME: '/' },
    '077',
  );
  expect(one).toMatchObject({ status: 0, stderr: '' });
  expect(two).toEqual(one);
});
