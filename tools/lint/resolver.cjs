// Import resolver for eslint-plugin-boundaries: `./x.js` in a source means `./x.ts` beside it.
const { existsSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { dirname, resolve } = require('node:path');

/** How tools/drill imports a file of src. */
const RUNTIME = '#slipway/';

exports.interfaceVersion = 2;
exports.resolve = (source, file) => {
  if (isBuiltin(source)) return { found: true, path: null };
  const isRuntime = source.startsWith(RUNTIME);
  if (!isRuntime && !source.startsWith('.')) return { found: false };
  const from = isRuntime ? resolve(__dirname, '..', '..', 'src') : dirname(file);
  const path = resolve(from, source.replace(RUNTIME, './').replace(/\.js$/, '.ts'));
  return existsSync(path) ? { found: true, path } : { found: false };
};
