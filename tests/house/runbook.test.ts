import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsIn, refusal } from '../support/cli-lines.js';

/** Who is called in the night types what stands here. */
const DOCS = join(__dirname, '..', '..', 'docs');
const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = [...pagesIn(''), ...pagesIn('operating'), 'reference/errors.md', '../README.md'];

test.each(PAGES)('given the commands in %s, then the command line accepts each one', (page) => {
  const refused = commandsIn(read(page)).flatMap((line) => refusal(line) ?? []);
  expect(refused).toEqual([]);
});

test('given an unknown command, an unknown option and an extra argument, then each is reported', () => {
  expect(commandsIn('`slipway undo STEP` and\n$ slipway run FILE --now   # at once\n')).toEqual([
    'slipway undo STEP',
    'slipway run FILE --now',
  ]);
  expect(['slipway undo STEP', 'slipway run FILE --now', 'slipway doctor FILE twice'].map(refusal)).toEqual([
    'no command undo',
    'run has no option --now',
    'doctor takes 1 arguments',
  ]);
  expect(refusal("slipway retry STEP --reason 'a b c'")).toBeNull();
});

test('given the error codes in the runbook, then the error reference has each one', () => {
  const codes = new Set(read('runbook.md').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g));
  const known = read('reference/errors.md');
  expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
  expect(codes.size).toBeGreaterThan(5);
});
