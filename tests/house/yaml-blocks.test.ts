import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { PAGES, ROOT } from '../support/pages.js';

/** Returns the YAML blocks of a page, without the indentation of their fence, each with its first line. */
function yamlBlocks(page: string): readonly (readonly [line: number, text: string])[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: indent, 2: body }) => [
    text.slice(0, index).split('\n').length + 1,
    body!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  ]);
}

const BLOCKS = PAGES.flatMap((page) => yamlBlocks(page).map(([line, text]) => [`${page}:${line}`, text] as const));

test('given the pages, then many have YAML blocks', () => {
  expect(BLOCKS.length).toBeGreaterThan(30);
});

test.each(BLOCKS)('given the YAML block at %s, when a user copies it, then it parses', (_, text) => {
  expect(parseDocument(text).errors.map(({ message }) => message)).toEqual([]);
});
