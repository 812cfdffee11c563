import { fail } from '../model/failure.js';
import { problems } from './errors.js';
import type { ReadFile } from './read/release-file.js';

/** The file with no other tests than these. The others count as done. Throws UNKNOWN_TEST for an id that it does not have.
 * @param only ids: `tests/NAME` */
export function withOnly(file: ReadFile, only: readonly string[]): ReadFile {
  const known = Object.keys(file.content.tests).map((name) => `tests/${name}`);
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw fail(unknown.map((id) => problems.unknownTest({}, id, known)));
  const all = Object.entries(file.content.tests);
  const tests = all.filter(([name]) => only.includes(`tests/${name}`));
  const others = all.filter(([name]) => !only.includes(`tests/${name}`));
  const left = others.map(([name, test]) => [`tests/${name}`, { because: '--only does not name it', test }] as const);
  return {
    ...file,
    content: { ...file.content, tests: Object.fromEntries(tests) },
    assumable: { ...file.assumable, ...Object.fromEntries(left) },
  };
}
