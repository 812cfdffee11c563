import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFleetFile } from '../../../src/adapters/facts/fleet-file.js';
import { namedPlan } from '../../../src/adapters/facts/named-plan.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { canonical } from '../../../src/model/json.js';
import { HEAD, planOf, sha256 } from '../../plan/a-plan.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-fleet-'));
const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('the fleet file that comes with Slipway, and that of Ray, are sound', async () => {
  expect((await readFleetFile('config/fleet.yaml')).content.queues['linux-x86_64']).toEqual({ workers: 4, slots: 2 });
  expect((await readFleetFile('examples/fleets/ray.yaml')).content.durations.runTest).toEqual({ share: 0.4 });
});

test.each([
  ['an unknown key', 'queues:\n  control: { wokers: 1 }\n', 'UNKNOWN_KEY', 2],
  ['a negative number', 'queues:\n  control: { workers: -1 }\n', 'WRONG_VALUE', 2],
  ['half a worker', 'queues: { control: { workers: 0.5 } }\n', 'WRONG_VALUE', 1],
  ['a kind that is none', 'queues: {}\ndurations: { buildWhel: 1m }\n', 'UNKNOWN_KEY', 2],
  ['a text', 'many\n', 'RELEASE_FILE_EMPTY', 1],
  ['no YAML', 'queues: [\n', 'YAML_INVALID', 2],
])('%s is told with its place', async (_, text, code, line) => {
  const file = written('fleet.yaml', text);
  await expect(readFleetFile(file)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code, place: expect.objectContaining({ line }) })]),
  });
});

test('a file that is not there is named', async () => {
  await expect(readFleetFile('nowhere.yaml')).rejects.toMatchObject({ problems: [{ code: 'FLEET_FILE_ABSENT' }] });
});

describe('a plan by what names it', () => {
  const plan = planOf(`${HEAD}steps:\n  x: { run: 'true' }\n`);
  const store = async () => createDirectoryStore(join(folder, 'store'));

  test('a file of `plan --json`, and a digest', async () => {
    expect(await namedPlan(written('plan.json', canonical(plan)), 'local', store)).toEqual(plan);
    const bytes = async function* () {
      yield new TextEncoder().encode(canonical(plan));
    };
    const { digest } = await (await store()).put(bytes());
    expect(await namedPlan(digest, 'local', store)).toEqual(plan);
  });

  test.each([
    ['no JSON', '{'],
    ['no plan', '{"slipway": 1}'],
  ])('a file with %s is refused', async (_, text) => {
    await expect(namedPlan(written('bad.json', text), 'local', store)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_FILE_NOT_A_PLAN' }],
    });
  });

  test('a file that is not there is told as such, not as one with wrong permissions', async () => {
    const absent = join(folder, 'nowhere.json');
    await expect(namedPlan(absent, 'local', store)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_FILE_ABSENT', message: expect.stringContaining('nowhere.json') }],
    });
  });

  test('what is wrong with all of a file stands at no path', async () => {
    await expect(namedPlan(written('list.json', '[]'), 'local', store)).rejects.toMatchObject({
      problems: [{ message: expect.stringMatching(/is no plan: [^:]/) }],
    });
  });

  test('a digest that the store does not know', async () => {
    await expect(namedPlan(sha256('other'), 'local', store)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_ABSENT' }],
    });
  });
});
