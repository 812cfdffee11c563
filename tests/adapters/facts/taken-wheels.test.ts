/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plan } from '../../../src/adapters/facts/index.js';
import { SlipwayFailure } from '../../../src/model/failure.js';
import type { Given, StepOf } from '../../../src/model/plan.js';
import { startWheelHost, type WheelHost } from '../../doubles/wheel-host.js';
import { expectGolden } from '../../support/golden.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z' },
  }).trim();

const FILE = `slipway: 1
release: { name: night, version: '1.0' }
source: { git: .., commit: wheels/boat }
platforms: [linux-x86_64]
pythons: [cp310, cp311, cp312]
wheels:
  boat:
    from: { at: '{wheels}/{branch}/{commit}/', take: main, branches: [releases/3, main] }
    commit: { file: boat/_version.py, match: 'commit = "(.+)"' }
tests:
  smoke: { in: venv, needs: [wheels/boat], matrix: { python: [cp310, cp311] }, run: python -c 1, expect: fine }
`;
const PROFILE = (address: string): string => `rehearsal: true
wheels: { boat: { address: '${address}', forks: '${address}/forks/{owner}/{commit}/' } }
`;

let host: WheelHost;
let root: string;
/** Commits of main, the oldest first. */
let commits: readonly string[];

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(async () => {
  host = await startWheelHost();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-taken-')));
  write('release/slipway.yaml', FILE);
  write('release/profiles/night.yaml', PROFILE(host.address));
  git(root, 'init', '-q', '-b', 'main');
  commits = Array.from({ length: 12 }, (_, number) => {
    write('number', String(number));
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', String(number));
    return git(root, 'rev-parse', 'HEAD');
  });
});
afterEach(() => host.stop());

const put = async (folder: string, ...pythons: readonly string[]): Promise<void> => {
  for (const python of pythons) host.put(`${folder}${wheelName({ python })}`, await aWheel({ python }));
};

const planned = (given: Given = {}) => plan(join(root, 'release'), 'night', given);
const taken = async (given: Given = {}) => {
  const made = await planned(given);
  const steps = made.steps.filter((step): step is StepOf<'takeWheel'> => step.kind === 'takeWheel');
  return { source: made.source, ids: steps.map(({ id }) => id), params: steps[0]!.params, given: made.given };
};
const boat = (what: string): Given => ({ wheels: { boat: what } });

test('given a branch, then its newest commit with wheels for all needed Pythons is taken, and is the source', async () => {
  await put(`/main/${commits[11]}/`, 'cp310');
  await put(`/main/${commits[9]}/`, 'cp310', 'cp311');
  await put(`/main/${commits[8]}/`, 'cp310', 'cp311', 'cp312');
  const { source, params, ids } = await taken();
  expect(source).toMatchObject({ commit: commits[9], branch: 'main' });
  expect(params).toMatchObject({
    from: { at: `${host.address}/main/${commits[9]}/` },
    wanted: commits[9],
    waitMs: 7_200_000,
  });
  expect(ids).toEqual(['wheels/boat/cp310/linux-x86_64', 'wheels/boat/cp311/linux-x86_64']);
});

test("given a branch without wheels, then ten commits are looked up, and each one's missing wheels are named", async () => {
  await put(`/main/${commits[1]}/`, 'cp310', 'cp311');
  const error = await planned().catch((thrown: unknown) => thrown as SlipwayFailure);
  expect(error).toMatchObject({
    first: { code: 'WHEEL_NONE_YET', class: 'infra', next: expect.stringContaining('--wheels boat=') },
  });
  expect((error as SlipwayFailure).first.evidence).toHaveLength(10);
});

test('given latest, then the newest commit of several branches is taken', async () => {
  git(root, 'branch', 'releases/3', commits[5]!);
  await put(`/releases/3/${commits[5]}/`, 'cp310', 'cp311');
  await put(`/main/${commits[2]}/`, 'cp310', 'cp311');
  expect((await taken(boat('latest'))).source).toMatchObject({ commit: commits[5], branch: 'releases/3' });
});

test('given a commit, then it is taken with or without wheels, and its branch is the first that contains it', async () => {
  git(root, 'branch', 'releases/3', commits[5]!);
  const whole = await taken(boat(commits[7]!));
  expect(whole.params.from).toEqual({ at: `${host.address}/main/${commits[7]}/` });
  expect(whole.given).toEqual(boat(commits[7]!));
  const short = await taken(boat(commits[4]!.slice(0, 12)));
  expect(short.params.from).toEqual({ at: `${host.address}/releases/3/${commits[4]}/` });
  expect(host.asked).toEqual([]);
});

test("given OWNER:BRANCH, then the remote of that name is used, and the profile's address for its wheels", async () => {
  git(root, 'update-ref', 'refs/remotes/kim/fix', commits[6]!);
  await put(`/forks/kim/${commits[6]}/`, 'cp310', 'cp311');
  const { source, params } = await taken(boat('kim:fix'));
  expect(source).toMatchObject({ commit: commits[6], branch: 'fix' });
  expect(params.from).toEqual({ at: `${host.address}/forks/kim/${commits[6]}/` });
  expect((await taken(boat(`kim:${commits[3]}`))).params.from).toEqual({
    at: `${host.address}/forks/kim/${commits[3]}/`,
  });
  expect((await taken(boat('https://git.example.invalid/kim/boat/tree/fix'))).params.from).toEqual(params.from);
});

test('given the web page of a branch of the repository itself, then it is not treated as a fork', async () => {
  git(root, 'remote', 'add', 'origin', 'https://git.example.invalid/sea/boat.git');
  await put(`/main/${commits[11]}/`, 'cp310', 'cp311');
  const { params } = await taken(boat('https://git.example.invalid/sea/boat/tree/main'));
  expect(params.from).toEqual({ at: `${host.address}/main/${commits[11]}/` });
});

test('given an address, then each variant gets its Python, and 40 hex digits in it are the commit', async () => {
  const address = `${host.address}/pulls/${commits[2]}/boat-3.0-cp311-cp311-manylinux2014_x86_64.whl`;
  const made = await planned(boat(address));
  expect(made.source).toMatchObject({ commit: commits[2] });
  const from = made.steps.flatMap((step) => (step.kind === 'takeWheel' ? [step.params.from] : []));
  expect(from).toEqual([{ at: address.replaceAll('cp311', 'cp310') }, { at: address }]);
});

test('given files, then they are in the plan by digest, one for each Python', async () => {
  write('release/slipway.yaml', FILE.replace('wheels/boat }', 'HEAD }'));
  for (const python of ['cp310', 'cp311'])
    writeFileSync(join(root, wheelName({ python })), await aWheel({ python, commit: commits[11]! }));
  const made = await planned(boat(`file:../${wheelName()}`));
  const from = made.steps.flatMap((step) => (step.kind === 'takeWheel' ? [step.params.from] : []));
  expect(from).toMatchObject([{ name: wheelName({ python: 'cp310' }) }, { name: wheelName() }]);
});

test('given no `take`, then the wheel is that of the source commit', async () => {
  git(root, 'tag', 'back', commits[8]!);
  write('release/slipway.yaml', FILE.replace('wheels/boat }', 'back }').replace(' take: main,', ''));
  expect((await taken()).params).toMatchObject({
    from: { at: `${host.address}/main/${commits[8]}/` },
    wanted: commits[8],
  });
});

const SAYS = /source: .*/;
test('given something that cannot be taken, then it is reported with its place and what to type', async () => {
  const head = (text: string): string => text.replace(SAYS, 'source: { git: .., commit: HEAD }');
  const cases: readonly (readonly [what: string, file: string, given?: Given])[] = [
    ['a take that names nothing', FILE.replace('take: main', "take: 'a..b'")],
    ['a branch that is not there', FILE, boat('nowhere')],
    ['a remote that is not there', FILE, boat('kim:fix')],
    ['latest of no branches', FILE.replace(', branches: [releases/3, main]', ''), boat('latest')],
    ['the commit of itself', FILE.replace(' take: main,', '')],
    ['an address without a commit, as the source', FILE, boat(`${'https://wheels.example.invalid'}/${wheelName()}`)],
    ['an address with a user', FILE, boat('https://kim:hunter2@wheels.example.invalid/a/')],
    ['another commit than the source', head(FILE).replace('{branch}/', ''), boat('a'.repeat(40))],
    ['a file that is not there', head(FILE), boat('file:../absent.whl')],
    ['a wheel that is built', FILE.replace(/ {4}from: .*\n/, ''), boat('main')],
    ['a profile without the address', FILE.replace('{wheels}', '{wheels}'), undefined],
    ['a store, by branch', head(FILE).replace('{wheels}', 'store:boat'), boat('main')],
    [
      'keys of builds',
      head(FILE).replace(' take: main,', '').replace('    commit: {', '    run: make\n    on: gpu\n    commit: {'),
    ],
    [
      'publishing it',
      `${head(FILE).replace(' take: main,', '')}publish:\n  index: { kind: python, files: [wheels/boat] }\n`,
    ],
  ];
  const told: string[] = [];
  for (const [what, file, given] of cases) {
    write('release/slipway.yaml', file);
    const profile =
      what === 'a profile without the address' ? 'rehearsal: true\n' : PROFILE('https://wheels.example.invalid');
    write('release/profiles/night.yaml', `${profile}kinds: { python: { address: 'service:index' } }\n`);
    const error: unknown = await planned(given).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof SlipwayFailure)) throw error ?? new Error(`${what}: no refusal`);
    told.push(
      `# ${what}`,
      ...error.problems.map((one) => {
        const { line, column } = one.place ?? {};
        const at = line === undefined ? '' : `slipway.yaml:${line}:${column} `;
        return `${at}${one.code} ${one.class}: ${one.message}\n  ${one.next}`;
      }),
      '',
    );
  }
  expectGolden(
    'bad-input/taken-wheels.txt',
    told
      .join('\n')
      .replaceAll(/[0-9a-f]{40}/g, 'COMMIT')
      .replaceAll(root, 'ROOT'),
  );
});
