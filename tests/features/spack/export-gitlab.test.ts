import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NO_PAST, planWithRows } from '../../../src/adapters/facts/index.js';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import { exportGitlab } from '../../../src/features/spack/node/export-gitlab.js';
import { fakeIo, fakePorts } from '../../cli/fake-ports.js';
import { newHome } from '../../support/run-body.js';
import { boatyard, type Files } from './an-environment.js';

const past = { ...NO_PAST, features: FEATURE_PLANS };
const RELEASE = boatyard()['slipway.yaml']!.replace(/source: .*/, 'source: { git: . }');

async function committed(changed: Files = {}): Promise<string> {
  const folder = await newHome();
  for (const [path, text] of Object.entries({ ...boatyard(), 'slipway.yaml': RELEASE, ...changed })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', folder, ...args]);
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
  return folder;
}

async function typed(folder: string, options: object = {}, format = 'gitlab') {
  const io = fakeIo();
  const ports = {
    ...fakePorts({}),
    planWithRows: (...[name, profile, given]: readonly [string, string, object]) =>
      planWithRows(name, profile, given, past),
  };
  const input = { args: { format, file: folder }, options: { like: '1.2', profile: 'local', ...options } };
  const code = await exportGitlab(input, io, { ...ports, cwd: folder });
  return { code, text: io.printed.join('\n'), said: io.chatter.join('\n') };
}

test('given two clones, then their pipelines have the same bytes, and a change that is not committed changes none', async () => {
  const [one, two] = [await committed(), await committed()];
  const first = await typed(one);
  writeFileSync(join(two, 'env/spack.yaml'), 'spack: {}\n');
  const second = await typed(two);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(second.text).toBe(first.text);
  expect(first.text).toMatch(/^hull@1\.0 \/sh3j46buel7ntwok2v2g6g4xvursvw6x:\n/);
  expect(first.text).toContain('pipeline: $PARENT_PIPELINE_ID\n');
  expect(first.said).toContain('warning EXPORT_NO_MIRROR env/spack.yaml');
});

const TWO = RELEASE.replace(/(\n {2}stack:[\s\S]*)/, '$1  other: { import: spack, file: env/spack.yaml }\n');

test.each([
  ['another format', {}, 'jenkins', RELEASE, 'EXPORT_UNKNOWN: slipway export does not know "jenkins"'],
  ['another Spack', { like: '0.24' }, 'gitlab', RELEASE, 'EXPORT_DIALECT: pipelines are written as Spack 1.2 writes'],
  [
    'two environments',
    {},
    'gitlab',
    TWO,
    'EXPORT_WHICH: a pipeline is of one environment, and the release file has stack',
  ],
  [
    'a name that is not there',
    { environment: 'x' },
    'gitlab',
    RELEASE,
    'EXPORT_WHICH: a pipeline is of one environment',
  ],
])('given %s, then the command says what to type', async (_, options, format, release, message) => {
  const folder = await committed({ 'slipway.yaml': release });
  await expect(typed(folder, options, format)).rejects.toThrow(message);
});

test('given an environment without rules, then no pipeline is printed', async () => {
  const yaml = boatyard()['env/spack.yaml']!.replace(/\n {2}ci:[\s\S]*/, '\n');
  const release = RELEASE.replace(/ {4}runners:[\s\S]*/, '');
  const folder = await committed({ 'env/spack.yaml': yaml, 'slipway.yaml': release });
  await expect(typed(folder)).rejects.toThrow('EXPORT_NO_RULES: it has neither "ci" nor "gitlab-ci"');
});
