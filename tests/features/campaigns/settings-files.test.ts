import { parse } from 'yaml';
import { campaigns } from '../../../src/features/campaigns/cli.js';
import type { JsonObject } from '../../../src/model/json.js';

const filesOf = (record: JsonObject) => campaigns.settings!.files(record);
const assigned = (path: string, value: unknown, preset?: string) =>
  ({
    path,
    value,
    from: { place: { file: 'config.yaml', line: 1 }, ...(preset && { preset }) },
  }) as unknown as JsonObject;

test('given a document and what presets assigned, then both are files, the second as TOPSAIL logs it', async () => {
  const document = { service: { port: 8080, on: true }, yes: 'no', long: 'x '.repeat(100) };
  const applied = [
    assigned('service.port', 8080, 'nightly'),
    assigned('tests.args["x.y"]', [true, null, 'a\nb', "it's", 'say "it\'s"', { a: 1.5 }], 'light'),
    assigned('service.name', 'plain text', 'light'),
    assigned('service.off', false, 'light'),
    assigned('set.by.an.option', 1),
  ];
  const { presets_applied: lines, 'config.yaml': yaml } = await filesOf({ document, applied });
  expect(parse(yaml!)).toEqual(document);
  expect(lines).toBe(
    [
      'preset[nightly] service.port --> 8080',
      `preset[light] tests.args["x.y"] --> [True, None, 'a\\nb', "it's", 'say "it\\'s"', {'a': 1.5}]`,
      'preset[light] service.name --> plain text',
      'preset[light] service.off --> False\n',
    ].join('\n'),
  );
});

test('given a value that is larger than a template may make, then it is a line of the file', async () => {
  const value = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 'x'.repeat(60_000));
  const { presets_applied: line } = await filesOf({ document: {}, applied: [assigned('a', value, 'deep')] });
  expect(line).toHaveLength('preset[deep] a --> '.length + 60_000 + 82 + 1);
});

test('given no presets, then their file is empty; given a record of something else, then there is none', async () => {
  expect(await filesOf({ document: {}, applied: [] })).toEqual({ 'config.yaml': '{}\n', presets_applied: '' });
  expect(await filesOf({ other: 1, applied: 'x' })).toEqual({});
});
