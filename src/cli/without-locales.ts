import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Keeps zod from loading its translations, a fifth of all modules of a short command. Call it before zod is loaded. Messages come from
 * src/plan/read/issues.ts, and from zod's English, which zod loads itself. */
export function withoutLocales(): void {
  const from = createRequire(__filename);
  const path = join(dirname(from.resolve('zod')), 'v4', 'locales', 'index.cjs');
  const none = new Module(path);
  none.exports = {};
  none.loaded = true;
  from.cache[path] ??= none;
}
