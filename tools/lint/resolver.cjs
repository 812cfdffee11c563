// Import resolver for eslint-plugin-boundaries: `./x.js` in a source means `./x.ts` beside it.
const { existsSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { dirname, resolve } = require('node:path');

exports.interfaceVersion = 2;
exports.resolve = (source, file) => {
  if (isBuiltin(source)) return { found: true, path: null };
  if (!source.startsWith('.')) return { found: false };
  const path = resolve(dirname(file), source.replace(/\.js$/, '.ts'));
  return existsSync(path) ? { found: true, path } : { found: false };
};
