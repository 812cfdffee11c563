/** @needs sandbox compiler @slow */
import { existsSync, rmSync } from 'node:fs';
import type { ImageContainer } from '../../../src/activities/tests/ports.js';
import { containersOf } from './a-container.js';
import { aLock, boatyard, boatyardWith, hashOf } from './an-environment.js';
import { records } from '../../../src/model/run-folder.js';
import { aResult, realSurroundings } from '../../support/run-body.js';
import { testSpack } from './contract.js';
import { DOUBLE, pathsOf, planned } from './planned.js';

describe('given the double', () => testSpack(DOUBLE));

test.each([
  ['fails', /^SPEC_FAILED: Spack could not build fails@1\.0 \(exit status 1\)/],
  ['fetches', /^NETWORK_REFUSED: no source mirror of the worker has the source of fetches@1\.0, and the step has no/],
  ['leaves-nothing', /^SPEC_ABSENT: .* there is no manifest of it/],
  ['leaves-two', /^SPEC_ABSENT: .* it pushed other specs, leaves-two\/leaves-two-2-/],
  ['leaves-link', /^LINK_LEADS_OUT: /],
  ['leaves-other-bytes', /^SPEC_ABSENT: .* has another digest/],
])('given a spec that %s, then the step fails', async (name, message) => {
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ [name]: [] })));
  expect(hashOf(name)).toHaveLength(32);
  await expect(build(name)).rejects.toThrow(message);
});

test('given a spec that leaves a link where the worker writes, then nothing is written through it', async () => {
  const trap = '/tmp/slipway-trap-of-a-test';
  rmSync(trap, { force: true });
  const { build } = await planned(DOUBLE, boatyardWith(aLock({ 'leaves-trap': [] })));
  expect(pathsOf(await build('leaves-trap'))).toHaveLength(3);
  expect(existsSync(trap)).toBe(false);
});

test.each(['1.0', '1.0.99', 'c0dec0d'])(
  'given an environment that asks for Spack %s, then the proof passes',
  async (asked) => {
    const { prove } = await planned(DOUBLE, boatyard(), { asked });
    expect((await prove('keel')).facts).toEqual({ spack: '1.0.99' });
  },
);

test.each(['1', '1.0.9', '1.1', 'c0dec0e'])(
  'given that it asks for Spack %s, then the proof names both',
  async (asked) => {
    const { prove } = await planned(DOUBLE, boatyard(), { asked });
    const problem = {
      code: 'SPACK_DIFFERS',
      message: `workers of linux-x86_64 have Spack 1.0.99 (${'c0de'.repeat(10)}), and the environment asks for ${asked}`,
      next: expect.stringContaining(
        `Set SLIPWAY_SPACK there to a checkout of ${asked} and start the workers`,
      ) as unknown,
    };
    await expect(prove('keel')).rejects.toMatchObject({ problems: [problem] });
  },
);

const codeOf = (error: { first: { code: string } }): string => error.first.code;
const failedTries = (home: string) => realSurroundings(home).store.list(records.failedTries());

test('given a spec that failed, then the next run does not try it, and a retry in it does', async () => {
  const { run, home } = await planned(DOUBLE, boatyardWith(aLock({ fails: [] })));
  const tried = (id: string) => run('fails', [], { run: id }).then(() => 'built', codeOf);
  expect([await tried('run-1'), await tried('run-2'), await tried('run-2')]).toEqual([
    ...['SPEC_FAILED', 'FAILED_BEFORE', 'SPEC_FAILED'],
  ]);
  expect(await failedTries(home)).toHaveLength(2);
});

test.each([
  ['fetches', false, 'NETWORK_REFUSED'],
  ['fetches', true, 'SPEC_FAILED'],
  ['unsolved', false, 'SPEC_FAILED'],
])('given a spec that %s (network: %s), then its %s is not remembered', async (name, network, code) => {
  const { run, home } = await planned(DOUBLE, boatyardWith(aLock({ [name]: [] })));
  const tried = (id: string) => run(name, [], { run: id, network }).then(() => 'built', codeOf);
  expect([await tried('run-1'), await tried('run-2')]).toEqual([code, code]);
  expect(await failedTries(home)).toEqual([]);
});

test('given a line before Spack, included settings and variables of the job, then Spack has them', async () => {
  const ci = {
    'pipeline-gen': [{ 'build-job': { tags: ['a'], variables: { AT: '$HOME/x', SPACK_BUILD_JOBS: '2' } } }],
  };
  const files = {
    ...boatyardWith(aLock({ zlib: [] })),
    'env/spack.yaml': JSON.stringify({ spack: { specs: ['zlib'], include: ['more.yaml'], ci } }),
    'env/more.yaml': 'packages: { all: { require: target=x86_64 } }\n',
  };
  const setup = 'echo "variable $AT"; echo "line $*"; cat env/included0.yaml; grep -A1 include env/spack.yaml';
  const more = { recipes: {}, setup, runners: [{ tags: ['a'], on: 'linux-x86_64' }] };
  const { log, made } = await (await planned(DOUBLE, files, { more })).run('zlib');
  expect(made.artifacts).toHaveLength(4);
  expect(log).toContain('variable $HOME/x');
  expect(log).toMatch(/^line .*install\.py .* -j2 /m);
  expect(log).toContain('"require": "target=x86_64"');
  expect(log).toContain('"included0.yaml"');
});

test('given a base for the image of jobs, then specs are built in its container, which has Spack and no network', async () => {
  const asked: ImageContainer[] = [];
  const digest = `sha256:${'0'.repeat(64)}` as const;
  const image = { kind: 'image', digest, name: 'deb', size: 1, labels: { repository: 'deb' } } as const;
  const base = aResult({ id: 'bases/deb', kind: 'makeBase' }, { artifacts: [image] });
  const { build } = await planned(DOUBLE, boatyard(), { containers: containersOf(asked) });
  const keel = await build('keel', [base]);
  expect(pathsOf(await build('hull', [base, keel]))).toHaveLength(3);
  expect(asked.map((one) => [one.image.split('/').at(-1), one.network])).toEqual([
    [`deb@${digest}`, false],
    [`deb@${digest}`, false],
  ]);
});

test('given a list of `bootstrap`, then its specs are proved and built from its own lock', async () => {
  const ci = { bootstrap: ['tools'], 'pipeline-gen': [] };
  const files = {
    ...boatyardWith(aLock({ zlib: [] })),
    'env/spack.yaml': JSON.stringify({ spack: { specs: ['zlib'], definitions: [{ tools: ['gcc'] }], ci } }),
    'env/tools/spack.lock': aLock({ gcc: [] }),
  };
  const { build } = await planned(DOUBLE, files, { more: { recipes: {} } });
  expect(pathsOf(await build('gcc'))[0]).toMatch(/^v3\/manifests\/spec\/gcc\//);
  expect(pathsOf(await build('zlib'))[0]).toMatch(/^v3\/manifests\/spec\/zlib\//);
});
