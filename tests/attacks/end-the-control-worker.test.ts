/** @slow @needs tools */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Another version's built code, to see an attack succeed there. */
const DIST = process.env['SLIPWAY_ATTACKED'] ?? join(__dirname, '..', '..', 'dist');
const MOST_MB = 600;
/** The attack has succeeded: the machine is not given to it. */
const SUCCEEDED_MB = 5_000;
const SUCCEEDED_MS = 90_000;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-end-')));
  for (const name of ['hostile', 'sound', 'home']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'sound', 'slipway.yaml'),
    `slipway: 1
release: { name: sound, version: '1.0' }
source: { sdist: sound==1.0, sha256: ${'ab'.repeat(32)} }
platforms: [linux-x86_64]
pythons: [cp311]
steps: { one: { run: 'true' } }
`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the files of a commit. */
function commit(files: Readonly<Record<string, string>>): void {
  const hostile = join(folder, 'hostile');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', hostile, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet', '--initial-branch=master');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(hostile, path), text);
  git('add', '.');
  git('commit', '--quiet', '-m', 'x');
}

interface Ended {
  readonly bad: { readonly problems: readonly { readonly code: string; readonly place: object }[] };
  readonly good: { readonly steps: number };
  /** Most memory of the process of control. */
  readonly megabytes: number;
}

/** Plans both files by one control process. Returns what it printed, and the most memory of it and its programs. */
async function planned(): Promise<{ ended: Ended | null; mostMb: number }> {
  const files = ['hostile', 'sound'].map((name) => join(folder, name, 'slipway.yaml'));
  const env = { ...process.env, SLIPWAY_ROOTS: folder, SLIPWAY_HOME: join(folder, 'home') };
  const argv = [join(__dirname, 'a-control.cjs'), DIST, join(folder, 'home'), ...files];
  const control = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  let said = '';
  control.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const closed = new Promise((resolve) => control.once('close', resolve));
  const endsAt = Date.now() + SUCCEEDED_MS;
  let mostMb = 0;
  while (control.exitCode === null && control.signalCode === null) {
    mostMb = Math.max(mostMb, await megabytesBelow(control.pid!));
    if (mostMb > SUCCEEDED_MB || Date.now() > endsAt) process.kill(-control.pid!, 'SIGKILL');
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await closed;
  return { ended: said === '' ? null : (JSON.parse(said) as Ended), mostMb };
}

/** Memory of a process and of those that it started. */
async function megabytesBelow(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid=,rss=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = new Set([pid]);
  for (const [one, parent] of rows) if (below.has(parent!)) below.add(one!);
  return Math.round(rows.reduce((sum, [one, , rss]) => sum + (below.has(one!) ? rss! : 0), 0) / 1024);
}

const RAY = `slipway: 1
pipeline: { name: hostile, label: X1 }
source: { git: . }
pythons: [cp311]
clusters: { one: { manager: local } }
tests: { night: { import: ray, files: [tests.yaml], clusters: { aws: one } } }
`;
/** One test of 190,000 values by its aliases, and a thousand adjustments: 40 kB. */
const TESTS = `- { name: DEFAULTS, extra: &v {${Array.from({ length: 1_900 }, (_, no) => `${(no + 9e3).toString(36)}x: 1,\n `).join('')}} }
- name: a_{{x}}
  extra: [${'*v,'.repeat(98)}]
  matrix:
    setup: { x: [0] }
    adjustments:
${Array.from({ length: 990 }, (_, no) => `    - with: {x: ${no + 1}}\n`).join('')}`;

const LISTS = `slipway: 1
pipeline: { name: hostile, label: X1 }
platforms: { debian-12: { like: linux-x86_64, libc: '2.36', base: debian-12 } }
bases: { debian-12: { debian: bookworm, python: own, bindep: [constraints] } }
wheels:
  constraints: { import: wheel-list, git: ., file: uc.txt, bindep: bindep.txt, rows: [{ branch: master, for: { debian-12: [cp311] } }] }
`;
/** 789 kB. */
const BINDEP = 'libsea-dev [platform:dpkg compile]\n'.repeat(22_550);

test.each([
  [
    '40 kB of YAML whose aliases and adjustments multiply',
    { 'slipway.yaml': RAY, 'tests.yaml': TESTS },
    'tests.yaml',
    1_905,
  ],
  [
    'a bindep file of 789 kB',
    { 'slipway.yaml': LISTS, 'uc.txt': 'skiff==1\n', 'bindep.txt': BINDEP },
    expect.stringMatching(/^[0-9a-f]{12}:bindep.txt$/) as string,
    1_873,
  ],
])(
  '[D7] given %s, then control refuses that plan with its line, and makes another one meanwhile',
  async (_, files, file, line) => {
    commit(files);
    const { ended, mostMb } = await planned();
    expect(ended?.bad.problems).toEqual([
      expect.objectContaining({ code: 'IMPORT_TOO_LARGE', place: expect.objectContaining({ file, line }) as object }),
    ]);
    expect(ended!.good.steps).toBeGreaterThan(0);
    expect(ended!.megabytes).toBeLessThan(MOST_MB);
    expect(mostMb).toBeLessThan(2 * MOST_MB);
  },
);
