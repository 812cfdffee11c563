import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Before zod is loaded: it brings its messages in sixty languages, a fifth of all modules of a short command. What people read is our
 * own (src/plan/read/issues.ts), over its English, which it loads by itself. */
export function withoutLocales(): void {
  const from = createRequire(__filename);
  const path = join(dirname(from.resolve('zod')), 'v4', 'locales', 'index.cjs');
  const none = new Module(path);
  none.exports = {};
  none.loaded = true;
  from.cache[path] ??= none;
}
