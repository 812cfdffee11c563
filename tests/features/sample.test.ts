/** @long @needs temporal services */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../../src/model/plan.js';
import { aProgram, type Program } from './a-release.js';
import { addFeature, aTree, type Tree } from './a-tree.js';

const SAMPLE = join(__dirname, 'sample');
const FILE = `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
steps:
  pack: { run: 'cp skiff.txt {out}/skiff.txt', outputs: [skiff.txt] }
scans:
  all: { import: licences, file: scans.txt }
publish:
  shelf: { kind: shelf, files: [steps/pack, scans/steps.pack], shelf: releases }
`;
const TEXT = 'SPDX-License-Identifier: MIT\n';
const LIVE = ['--profile', 'live'];

let tree: Tree;
let program: Program;
let shelf: string;
beforeAll(async () => {
  tree = aTree();
  addFeature(tree, 'sample', SAMPLE);
  expect(tree.build()).toEqual({ status: 0, text: '' });
  program = await aProgram(tree, { 'slipway.yaml': FILE, 'skiff.txt': TEXT, 'scans.txt': 'steps/pack\n' });
  shelf = join(program.home, 'shelf');
  program.write('project/profiles/live.yaml', `rehearsal: false\nkinds: { shelf: { address: ${shelf} } }\n`);
  program.write('policy.yaml', `policy: 1\npublish: [{ kind: shelf, address: ${shelf} }]\n`);
  program.write('approved-licences', 'MIT\n');
  expect((await program.say('up')).code).toBe(0);
});
afterAll(async () => {
  await program?.end();
  tree?.remove();
});

const plan = async (...more: readonly string[]): Promise<Plan> =>
  JSON.parse((await program.say('plan', ...LIVE, '--json', ...more)).stdout) as Plan;
const allowedIn = ({ steps }: Plan) =>
  steps.flatMap((step) => (step.id === 'scans/steps.pack' ? 'allow' in step.params && step.params.allow : []));

test('given the sample, then it has less than 250 lines', () => {
  const files = readdirSync(SAMPLE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const lines = files.flatMap((name) => readFileSync(join(SAMPLE, name), 'utf8').trimEnd().split('\n'));
  expect(lines.length).toBeLessThan(250);
});

test('given the feature in six lists, then the linter finds nothing in it', () => {
  expect(tree.lint('src/features')).toMatchObject({ status: 0 });
});

test('given its section, then the plan has its stage between two others, and its target among the effects', async () => {
  const { steps, effects } = await plan();
  const stages = [...new Set(steps.map(({ stage }) => stage))];
  expect(stages.slice(stages.indexOf('steps'), stages.indexOf('seal') + 1)).toEqual(['steps', 'scans', 'seal']);
  expect(effects.map(({ kind, name, undo }) => [kind, name, undo])).toEqual([
    ['shelf', 'steps.pack.licences.json', 'delete the file'],
    ['shelf', 'skiff.txt', 'delete the file'],
  ]);
  expect((await program.say('plan', ...LIVE)).stdout).toContain('Licences that are allowed\n  scans/steps.pack  MIT\n');
});

test('given workers that are killed during its step and its upload, then the run resumes, and each file is written once', async () => {
  program.killAt('scans/', 'after', 'linux-x86_64');
  program.killAt('publish/shelf', 'after', 'control');
  const { code, stdout } = await program.say('run', ...LIVE, '--wait');
  expect({ code, killed: program.killed }).toEqual({
    code: 0,
    killed: ['scans/steps.pack', expect.stringMatching(/^publish\/shelf/)],
  });
  expect(stdout).toContain('released');
  expect(stdout).toMatch(new RegExp(`${program.killed[1]} .*1 file already there; its worker was gone at \\S+$`, 'm'));
  expect(readFileSync(join(shelf, 'releases', 'skiff.txt'), 'utf8')).toBe(TEXT);
  expect(JSON.parse(readFileSync(join(shelf, 'releases', 'steps.pack.licences.json'), 'utf8'))).toEqual([
    { file: 'skiff.txt', licence: 'MIT' },
  ]);
});

test('given an import with a question of its own, then the plan has its entries and its answers, and is made again from them', async () => {
  const { imports, steps } = await plan();
  expect(imports!.of).toMatchObject([{ id: 'scans/all', from: 'licences', entries: 1 }]);
  program.write('approved-licences', 'BSD-3-Clause\n');
  const [asked, again] = [await plan(), await plan('--facts', imports!.facts)];
  program.write('approved-licences', 'MIT\n');
  expect(allowedIn(asked)).toEqual(['BSD-3-Clause']);
  expect(again).toMatchObject({ imports, steps });
  expect(allowedIn(again)).toEqual(['MIT']);
});

test('given the same release again, then its step is cached, and its target has the files already', async () => {
  const { code, stdout } = await program.say('run', ...LIVE, '--wait');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/cached +scans\/steps\.pack/) });
  expect(stdout).toContain('1 file already there');
});

test.each([
  [
    'why its step was reused',
    ['why', 'scans/steps.pack'],
    /^scans\/steps\.pack was reused: its key \w+ is known, made by release\/skiff\/1\.0/,
  ],
  ['the state of the run', ['status'], /^released {2}skiff 1\.0 [^]*^ +scans +\S+ s {2}1 step, 1 reused$/m],
  ['by its workflow what its records hold', ['scans', 'skiff.txt'], /^skiff\.txt: MIT$/m],
])('given the run, then the command line tells %s', async (_, args, told) => {
  expect(await program.say(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(told) });
});

test('given the run, then doctor tells the row of its check, whatever it says of the rest of the machine', async () => {
  expect((await program.say('doctor')).stdout).toMatch(/^ok +licences +MIT$/m);
});
