import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startIndex } from './index-answers/stand-in.mjs';
import { middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const PINS = 600;
const PYTHONS = ['cp311', 'cp312', 'cp313'];
const NAMED = `${PINS} pins × ${PYTHONS.length} Pythons × 2 platforms`;
const FILE = `slipway: 1
pipeline: { name: wheels, label: X1 }
platforms:
  debian-12: { like: linux-x86_64, libc: '2.36' }
  debian-13: { like: linux-x86_64, libc: '2.41' }
wheels:
  constraints:
    import: wheel-list
    git: requirements
    file: uc.txt
    rows: [{ branch: master, for: { debian-12: [${PYTHONS.join(', ')}], debian-13: [${PYTHONS.join(', ')}] } }]
`;

const PUBLISH = "publish: { cache: { kind: simple, files: ['wheels/*'], when: built } }\n";
const digest = (hex) => `sha256:${hex.repeat(64)}`;

/** Roll-ups of both platforms, with a wheel for each row that the index has none for. */
function writeRollups(home, names) {
  for (const platform of ['debian-12', 'debian-13']) {
    const folder = join(home, 'wheels', platform, 'simple');
    mkdirSync(folder, { recursive: true });
    const files = names.filter(isSdistAlone).flatMap((name) =>
      PYTHONS.map((python) => ({
        ...{ slipway: 1, file: `${name}-1.0.0-${python}-${python}-linux_x86_64.whl`, digest: digest('b'), size: 9 },
        ...{ requiresPython: '>=3.9', metadata: digest('c'), statement: digest('d'), publisher: 'wheels' },
        ...{ uploadTime: '2026-11-22T10:00:00.000000Z', from: { source: digest('a'), lock: null, base: null } },
      })),
    );
    writeFileSync(join(folder, 'rollup.json'), `${JSON.stringify({ slipway: 1, files })}\n`);
  }
}

const isSdistAlone = (name) => name.endsWith('7');

/** Every tenth project has an sdist alone, the others have wheels for all Pythons. */
function pageOf(name) {
  const stem = `${name}-1.0.0`;
  const wheels = ['cp39', 'cp310', ...PYTHONS].flatMap((python) =>
    ['manylinux_2_17_x86_64', 'manylinux_2_17_aarch64', 'musllinux_1_2_x86_64', 'macosx_11_0_arm64', 'win_amd64'].map(
      (platform) => `${stem}-${python}-${python}-${platform}.whl`,
    ),
  );
  const files = [`${stem}.tar.gz`, ...(isSdistAlone(name) ? [] : wheels)].map((filename) => ({
    ...{ filename, url: `../../files/${filename}`, hashes: { sha256: 'a'.repeat(64) }, size: 123_456 },
    ...{ 'requires-python': '>=3.9', 'upload-time': '2026-01-02T03:04:05.000000Z' },
  }));
  return { meta: { 'api-version': '1.1' }, name, files };
}

/** `slipway plan` of a wheel list whose answers are remembered: time of the whole process, size of the plan beside its steps. */
export async function wheelList({ root, folder, runs }) {
  const index = await startIndex(PINS, pageOf);
  const home = join(folder, 'wheel-list');
  rmSync(home, { recursive: true, force: true });
  const list = join(home, 'requirements');
  mkdirSync(list, { recursive: true });
  writeFileSync(join(home, 'slipway.yaml'), FILE);
  writeFileSync(join(list, 'uc.txt'), index.names.map((name) => `${name}==1.0.0\n`).join(''));
  const git = (...args) => execFileSync('git', ['-C', list, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet', '--initial-branch=master');
  git('add', '.');
  git('commit', '--quiet', '-m', 'list');
  // A bundle holds all that is in the release file's folder, except this one.
  const state = join(home, '.slipway');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PIP_'));
  const env = { ...Object.fromEntries(own), SLIPWAY_HOME: state, PIP_INDEX_URL: index.address };
  const plan = async (...options) => {
    const start = performance.now();
    const argv = [join(root, 'bin', 'slipway.js'), 'plan', 'slipway.yaml', ...options];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env, cwd: home, maxBuffer: 64_000_000 });
    return { s: (performance.now() - start) / 1000, stdout };
  };
  await plan();
  const times = [];
  for (let run = 0; run < (runs ?? 5); run++) times.push((await plan()).s);
  const { steps: _, ...beside } = JSON.parse((await plan('--json')).stdout);
  writeFileSync(join(home, 'slipway.yaml'), FILE + PUBLISH);
  writeRollups(state, index.names);
  const idle = [];
  for (let run = 0; run < (runs ?? 5); run++) idle.push((await plan()).s);
  const built = JSON.parse((await plan('--json')).stdout).steps.filter(({ kind }) => kind === 'buildWheel').length;
  index.stop();
  return [
    row(`${NAMED}, answers remembered: plan`, middle(times), 's', { goal: atMost(1) }),
    row(`${NAMED}: plan beside its steps`, JSON.stringify(beside).length / 1e6, 'MB', { goal: atMost(1) }),
    row(`${NAMED}, all upstream or ours: plan`, middle(idle), 's', { goal: atMost(1) }),
    row(`${NAMED}, all upstream or ours: builds`, built, '', { goal: atMost(0) }),
  ];
}
