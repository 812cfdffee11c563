import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PAGES, ROOT } from '../support/pages.js';

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Returns the anchors of a page as GitHub makes them from its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(PAGES)('given a link in %s, then its target exists', (page) => {
  const broken = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link!)) return [];
    const [path = '', anchor] = link!.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [link];
    return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor) ? [] : [link];
  });
  expect(broken).toEqual([]);
});
