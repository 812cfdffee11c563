/** @slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatherFacts, NO_PAST, plan, planWithRows } from '../../../src/adapters/facts/index.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import { nothingToDo } from '../../../src/plan/nothing-to-do.js';
import { digestOf } from '../../../src/model/digest.js';
import type { Given } from '../../../src/model/plan.js';
import type { FeaturePlans, ReadSettings } from '../../../src/plan/feature.js';
import { aProject } from '../../features/a-release.js';
import { ofCommit, settingsOf, tinySettings } from '../../support/tiny-settings.js';

const root = mkdtempSync(join(tmpdir(), 'slipway-settings-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = aProject(root, {
  'config.json': '{"port":8080}',
  'slipway.yaml': `slipway: 1
pipeline: { name: night, label: commit }
source: { git: . }
steps: { ping: { run: 'true' } }
`,
});
const file = join(folder, 'slipway.yaml');

const past = (features: FeaturePlans) => ({ ...NO_PAST, features: { ...FEATURE_PLANS, ...features } });
const withThe = (...all: readonly ReadSettings[]) =>
  past(Object.fromEntries(all.map((one, at) => [`tiny${at}`, tinySettings(one)])));
const planned = (read: ReadSettings, given: Given = {}) => plan(file, 'local', given, withThe(read));

test('given settings in the commit and no import, then the plan names document and facts, and is made again from the facts alone', async () => {
  const { file: read, source } = await gatherFacts(file, 'local', root, {}, withThe(ofCommit));
  expect(source).toMatchObject({ imports: {}, settings: { text: { 'config.json': '{"port":8080}' } } });
  expect(read.settings!.digest).toBe(digestOf({ port: 8080 }, sha256));

  const made = await planned(ofCommit);
  expect(made).toMatchObject({ settings: read.settings!.digest, imports: { facts: digestOf(source, sha256), of: [] } });
  const stored = JSON.parse(JSON.stringify(source)) as NonNullable<typeof source>;
  const again = await planWithRows(file, 'local', {}, withThe(ofCommit), stored);
  expect(again.plan).toEqual(made);
  const lost = { ...stored, settings: { text: {} } as never };
  await expect(planWithRows(file, 'local', {}, withThe(ofCommit), lost)).rejects.toMatchObject({
    problems: [{ code: 'FACTS_LACK' }],
  });
  expect(nothingToDo(made)).toBeNull();
});

test('given a feature that finds no settings in the file, then the plan is the one without the feature', async () => {
  const before = await plan(file, 'local', {}, past({}));
  expect(await planned(() => null)).toEqual(before);
  expect(before).not.toHaveProperty('settings');
  expect(before).not.toHaveProperty('imports');
});

test.each<[string, ReturnType<typeof past>, Given, string, string]>([
  ['two features with settings', withThe(ofCommit, settingsOf({})), {}, 'SETTINGS_TWICE', '"tiny0" and "tiny1"'],
  ['options without settings', past({}), { preset: ['nightly'] }, 'SETTINGS_ABSENT', 'nightly'],
  ['a value without settings', past({}), { set: ['port=1'] }, 'SETTINGS_ABSENT', 'port=1'],
  ['a feature that asks for ever', withThe(() => ({ asks: [] })), {}, 'IMPORT_ENDLESS', 'tiny0'],
])('given %s, then planning refuses', async (_what, from, given, code, message) => {
  await expect(plan(file, 'local', given, from)).rejects.toMatchObject({
    problems: [{ code, message: expect.stringContaining(message) }],
  });
});

test('given problems of the settings, then planning reports all of them, and options that name no entry', async () => {
  const faulty: ReadSettings = (read, around) => {
    const at = (line: number) => ({ place: { file: 'config.json', line }, class: 'config', next: 'Fix it.' }) as const;
    return {
      ...(settingsOf({})(read, around) as object),
      findings: [
        { code: 'SECOND', message: 'b', ...at(2) },
        { code: 'FIRST', message: 'a', ...at(1) },
      ],
    } as never;
  };
  await expect(planned(faulty)).rejects.toMatchObject({ problems: [{ code: 'FIRST' }, { code: 'SECOND' }] });
  const codes = planned(faulty, { skip: ['stps/ping'] }).catch(({ problems }) =>
    problems.map(({ code }: { code: string }) => code),
  );
  expect(((await codes) as string[]).toSorted()).toEqual(['FIRST', 'SECOND', 'UNKNOWN_ENTRY']);
});

test('given settings that change the file, then the plan is of the changed file', async () => {
  const changing: ReadSettings = (read, around) => ({
    ...(settingsOf({})(read, around) as Extract<ReturnType<ReadSettings>, { document: object }>),
    file: {
      ...read,
      content: { ...read.content, steps: { ping: { ...read.content.steps['ping']!, run: 'echo pong' } } },
    },
  });
  expect((await planned(changing)).steps.find(({ id }) => id.startsWith('steps/ping'))).toMatchObject({
    params: { run: 'echo pong' },
  });
});
