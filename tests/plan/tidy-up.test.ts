import { isAfterOnly } from '../../src/model/plan.js';
import { HEAD, planOf, problemsOf, stepOf } from './a-plan.js';

const FILE = `${HEAD}wheels:
  skiff: {}
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' }
publish:
  index: { kind: python, files: [wheels/skiff], verify: 'true' }
steps:
  teardown: { after: [tests/sail], run: ./down.sh }
`;

test('given a cleanup step, then it runs after every named variant and every proof, and nothing else', () => {
  const made = planOf(FILE);
  const step = stepOf(made, 'steps/teardown');
  expect(step).toMatchObject({ kind: 'tidyUp', on: 'linux-x86_64', needs: [], wants: [], toolchain: null });
  expect(step.after.filter((id) => !id.startsWith('prove/'))).toEqual([
    'tests/sail/cp311/linux-x86_64',
    'tests/sail/cp312/linux-x86_64',
  ]);
  expect(step.after).toContain('prove/queue/control');
  expect(isAfterOnly(step)).toBe(true);
});

test('given `network: true`, then the cleanup step has the network, and none by default', () => {
  const params = (said: string): unknown =>
    stepOf(planOf(FILE.replace('run: ./down.sh', `run: ./down.sh${said}`)), 'steps/teardown').params;
  expect(params(', network: true')).toMatchObject({ network: true });
  expect(params('')).not.toHaveProperty('network');
});

test('given a cleanup step, then the seal does not wait for it, and the report does', () => {
  const made = planOf(FILE);
  expect(stepOf(made, 'seal/manifest').wants).not.toContain('steps/teardown');
  expect(stepOf(made, 'report/run').after).toContain('steps/teardown');
});

test('given `after` with published files and picked variants, then the cleanup step runs after them', () => {
  const made = planOf(FILE.replace('[tests/sail]', "[publish/index, 'tests/sail[python=cp312]']"));
  expect(stepOf(made, 'steps/teardown').after.filter((id) => !id.startsWith('prove/'))).toEqual([
    'publish/index/wheels.skiff.cp311.linux-x86_64',
    'publish/index/wheels.skiff.cp312.linux-x86_64',
    'tests/sail/cp312/linux-x86_64',
  ]);
});

test.each([
  ['an unknown name', 'after: [tests/sale]', 'UNKNOWN_NEED', 'tests/sail'],
  ['an unknown variant', "after: ['tests/sail[python=cp39]']", 'NEED_MATCHES_NOTHING', 'cp39'],
  ['needs besides', 'after: [tests/sail], needs: [wheels/skiff]', 'WRONG_VALUE', 'needs'],
  ['outputs', 'after: [tests/sail], outputs: [x]', 'WRONG_VALUE', 'outputs'],
])('given %s, then it is refused', (_, said, code, told) => {
  const found = problemsOf(FILE.replace('after: [tests/sail]', said));
  expect(found).toEqual([expect.objectContaining({ code })]);
  expect(found[0]!.message + found[0]!.next).toContain(told);
});
