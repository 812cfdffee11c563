import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFleetFile } from '../../../src/adapters/facts/fleet-file.js';
import { NO_PAST } from '../../../src/adapters/facts/index.js';
import { namedPlan } from '../../../src/adapters/facts/named-plan.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { canonical } from '../../../src/model/json.js';
import { HEAD, planOf, sha256 } from '../../plan/a-plan.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-fleet-'));
const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('given the fleet files of this repository, then they are valid', async () => {
  expect((await readFleetFile('config/fleet.yaml')).content.queues['linux-x86_64']).toEqual({ workers: 4, slots: 2 });
  expect((await readFleetFile('examples/fleets/ray.yaml')).content.durations.runTest).toEqual({ share: 0.4 });
});

test.each([
  ['an unknown key', 'queues:\n  control: { wokers: 1 }\n', 'UNKNOWN_KEY', 2],
  ['a negative number', 'queues:\n  control: { workers: -1 }\n', 'WRONG_VALUE', 2],
  ['half a worker', 'queues: { control: { workers: 0.5 } }\n', 'WRONG_VALUE', 1],
  ['an unknown kind', 'queues: {}\ndurations: { buildWhel: 1m }\n', 'UNKNOWN_KEY', 2],
  ['a text', 'many\n', 'RELEASE_FILE_EMPTY', 1],
  ['no YAML', 'queues: [\n', 'YAML_INVALID', 2],
])('given %s, then it is reported with its place', async (_, text, code, line) => {
  const file = written('fleet.yaml', text);
  await expect(readFleetFile(file)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code, place: expect.objectContaining({ line }) })]),
  });
});

test('given a missing file, then it is named', async () => {
  await expect(readFleetFile('nowhere.yaml')).rejects.toMatchObject({ problems: [{ code: 'FLEET_FILE_ABSENT' }] });
});

describe('a plan named on the command line', () => {
  const plan = planOf(`${HEAD}steps:\n  x: { run: 'true' }\n`);
  const store = async () => createDirectoryStore(join(folder, 'store'));

  test('given a file of `plan --json`, or a digest, then the plan is read', async () => {
    expect(await namedPlan(written('plan.json', canonical(plan)), 'local', store, NO_PAST)).toEqual(plan);
    const bytes = async function* () {
      yield new TextEncoder().encode(canonical(plan));
    };
    const { digest } = await (await store()).put(bytes());
    expect(await namedPlan(digest, 'local', store, NO_PAST)).toEqual(plan);
  });

  test.each([
    ['no JSON', '{'],
    ['no plan', '{"slipway": 1}'],
  ])('given a file with %s, then it is refused', async (_, text) => {
    await expect(namedPlan(written('bad.json', text), 'local', store, NO_PAST)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_FILE_NOT_A_PLAN' }],
    });
  });

  test('given a missing file, then the error says so', async () => {
    const absent = join(folder, 'nowhere.json');
    await expect(namedPlan(absent, 'local', store, NO_PAST)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_FILE_ABSENT', message: expect.stringContaining('nowhere.json') }],
    });
  });

  test('given a fault of the whole file, then the message has no path', async () => {
    await expect(namedPlan(written('list.json', '[]'), 'local', store, NO_PAST)).rejects.toMatchObject({
      problems: [{ message: expect.stringMatching(/is no plan: [^:]/) }],
    });
  });

  test('given an unknown digest, then it is refused', async () => {
    await expect(namedPlan(sha256('other'), 'local', store, NO_PAST)).rejects.toMatchObject({
      problems: [{ code: 'PLAN_ABSENT' }],
    });
  });
});
