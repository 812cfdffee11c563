import { why } from '../../../src/cli/commands/why.js';
import { fakeIo, fakePorts } from '../../cli/fake-ports.js';
import { HEAD, planOf } from '../../plan/a-plan.js';
import { aLock, aNode, boatyard, boatyardWith, hashOf, importedFrom } from './an-environment.js';

const runners = [{ tags: ['spack', 'small', 'large'], on: 'linux-x86_64' }];

test('given rules for jobs, then why tells of a spec what each of them says, with its line', async () => {
  const { rows = [] } = importedFrom(boatyard(), { runners }).made;
  const io = fakeIo();
  const plan = { plan: planOf(HEAD), digest: `sha256:${'0'.repeat(64)}` as const };
  const ports = fakePorts({ plan, rows: { slipway: 1, rows: { 'environments/stack': rows } } });
  await why.run({ args: { subject: 'sail', file: 'slipway.yaml' }, options: { profile: 'local' } }, io, ports);
  expect(io.printed.join('\n').split('\n')).toEqual([
    expect.stringMatching(/^sail@1\.0 \/6gmafus: build: needed by skiff; linux-x86_64 by tags large, spack /),
    '  env/spack.yaml:14 sets tags: ["spack"]',
    '  env/spack.yaml:13 sets tags: ["large"]',
  ]);
});

test('given a rule that takes tags away, and variables, then both are told; attributes that no run reads are not', () => {
  const ci = {
    'pipeline-gen': [
      { 'build-job-remove': { tags: ['spack'] } },
      { 'build-job': { tags: ['spack', 'small'], variables: { A: '1', B: '2' }, script: ['make'] } },
    ],
  };
  const files = { ...boatyard(), 'env/spack.yaml': JSON.stringify({ spack: { specs: ['skiff'], ci } }) };
  const { rows = [] } = importedFrom(files, { runners }).made;
  expect(rows[0]!.trail!.map(({ key, words, value }) => `${words} ${key}: ${value}`)).toEqual([
    'sets tags: ["spack","small"]',
    'sets variables: {"A":"1","B":"2"}',
    'takes away tags: ["spack"]',
  ]);
});

test('given no rules, then rows have no trail', () => {
  expect(importedFrom(boatyard()).made.rows!.filter(({ trail }) => trail !== undefined)).toEqual([]);
});

const toldFor = (targets: readonly string[], packages?: object): readonly string[] => {
  const nodes = targets.map((target, at) => {
    const arch = { platform: 'linux', platform_os: 'debian12', target };
    return [hashOf(`spec${'abc'[at]}`), aNode(`spec${'abc'[at]}`, [], { arch })] as const;
  });
  const files = boatyardWith(aLock({ root: [] }, Object.fromEntries(nodes)));
  const { spack } = JSON.parse(files['env/spack.yaml']!) as { readonly spack: object };
  const yaml = JSON.stringify({ spack: { ...spack, ...(packages && { packages }) } });
  const { notices = [] } = importedFrom({ ...files, 'env/spack.yaml': yaml }).made;
  return notices.flatMap(({ code, why }) => (code === 'TARGET_OF_HOST' ? [why] : []));
};

test.each([
  ['the CPU of a machine', ['zen4'], undefined, 'x86_64 (1 spec), zen4 (1 spec)'],
  ['two levels', ['x86_64_v3', 'x86_64_v3'], {}, 'x86_64 (1 spec), x86_64_v3 (2 specs)'],
  ['packages that require something else', ['zen4'], { all: { require: '%gcc' } }, 'x86_64 (1 spec), zen4 (1 spec)'],
])('given specs for %s and no required target, then a note names the targets', (_, targets, packages, named) => {
  expect(toldFor(targets, packages)).toEqual([
    `\`packages: all\` requires no target, and specs of the lock are for ${named}`,
  ]);
});

test.each([
  ['one level', ['x86_64'], undefined],
  ['a required target', ['zen4'], { all: { require: 'target=zen4' } }],
  ['one of several required targets', ['zen4'], { all: { require: [{ one_of: ['target=zen4', 'target=zen3'] }] } }],
  ['a preferred target', ['zen4'], { all: { target: ['zen4'] } }],
])('given specs for %s, then nothing is told', (_, targets, packages) => {
  expect(toldFor(targets, packages)).toEqual([]);
});
