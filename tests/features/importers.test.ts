/** @slow */
import type * as Zod from 'zod';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answerer, AnswerPorts, Past } from '../../src/activities/plan/ports.js';
import { gatherFacts, NO_PAST } from '../../src/adapters/facts/index.js';
import type { OwnAsk } from '../../src/importers/asks.js';
import type { Importer } from '../../src/importers/importer.js';
import { Command } from '../../src/model/schema/sections/builds.js';
import { aProject } from './a-release.js';

jest.mock('../../src/features/schemas.js', () => {
  const { z } = jest.requireActual<typeof Zod>('zod');
  const scan = z.strictObject({ import: z.literal('scan'), names: z.array(z.string()) });
  return { FEATURE_SCHEMAS: { sample: { entries: { 'steps.import.scan': scan } } } };
});

interface Say {
  readonly names: readonly string[];
}
type Answers = { readonly lines: Readonly<Record<string, string | null>> };
/** A step for each name that has a line. */
const scan: Importer<Say, Answers['lines'], OwnAsk<'lines'>, Answers> = {
  ...{ makes: { steps: Command }, asks: { lines: {} }, stored: null },
  read: ({ names }, { lines }) =>
    names.every((name) => name in lines) ? { kept: { ...lines } } : { asks: [{ ask: 'lines', keys: names }] },
  make: (lines) => ({
    entries: Object.entries(lines).flatMap(([name, run]) =>
      run === null ? [] : [{ name, entry: { run }, origin: { file: 'lines' }, places: {}, because: null }],
    ),
    findings: [],
  }),
};

const root = mkdtempSync(join(tmpdir(), 'slipway-importers-'));
afterAll(() => rmSync(root, { recursive: true }));
const file = join(
  aProject(root, {
    'slipway.yaml': `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
steps: { all: { import: scan, names: [one, none] }, own: { run: 'true' } }
`,
  }),
  'slipway.yaml',
);

const asked: [AnswerPorts, readonly string[]][] = [];
const lines =
  (ports: AnswerPorts): Answerer =>
  async (keys) => (asked.push([ports, keys]), { one: 'echo one' });
const past: Past = {
  ...NO_PAST,
  features: { sample: { importers: { scan } } },
  answers: async () => ({ sample: { answers: (ports: AnswerPorts) => ({ lines: lines(ports) }) }, bare: {} }),
};
const gathered = (from: Past, before?: Awaited<ReturnType<typeof gatherFacts>>['source']) =>
  gatherFacts(file, 'local', root, { offline: true }, from, before);

test("given a feature's importer into a section of the core, then its question is answered, null where there is no answer", async () => {
  const { file: read, source } = await gathered(past);
  expect(read.content.steps).toMatchObject({ own: { run: 'true' }, one: { run: 'echo one' } });
  expect(Object.keys(read.content.steps)).toEqual(['own', 'one']);
  expect(source!.imports['steps/all']).toMatchObject({ text: {}, lines: { one: 'echo one', none: null } });
  expect(asked).toEqual([[{ home: expect.any(String), folder: root, offline: true }, ['one', 'none']]]);
  const again = await gathered({ ...past, answers: () => Promise.reject(new Error('asked again')) }, source);
  expect(again.file.content.steps).toEqual(read.content.steps);
});

test('given two features that answer one question, then planning names both', async () => {
  const twice = {
    ...past,
    answers: async () => ({ one: { answers: () => ({ lines: lines({} as never) }) }, ...(await past.answers()) }),
  };
  await expect(gathered(twice)).rejects.toThrow(
    'feature "one" and feature "sample" both have a row of `answers` "lines"',
  );
});

test('given a program without the features, then the form names its feature', async () => {
  await expect(gathered(NO_PAST)).rejects.toThrow(
    'feature "sample" has the form of an entry "steps.import.scan", and no plan.ts has an importer "scan"',
  );
});
