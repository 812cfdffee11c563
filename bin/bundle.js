// The command line in two files, each with its compiled code beside it; `npm run build` writes them (tools/bundle).
const { readFileSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** `main`: Slipway and what every command loads. `temporal`: the packages behind `isTemporal`, for commands that ask a server. */
exports.fileOf = (root, name) => join(root, 'dist-cli', `${name}.js`);
exports.compiledOf = (code) => code.replace(/js$/, 'v8');
exports.isTemporal = (specifier) => /^(@temporalio\/|protobufjs\b)/.test(specifier);

/** Runs the bundle and returns true. False if there is none, or if dist or the packages are newer. */
exports.runBundle = (root) => {
  if (!isCurrent(root)) return false;
  if (process.env.SLIPWAY_DEBUG === undefined) exports.loadBundle(root);
  else {
    // Stack traces name the sources. Node reads the source map of a module, but of no script.
    process.setSourceMapsEnabled(true);
    require(exports.fileOf(root, 'main'));
  }
  return true;
};

/** Runs the bundle. Returns the scripts that it loads, by file; `temporal` joins them when it is asked for. */
exports.loadBundle = (root) => {
  // A command ends within a second or waits: at V8's usual pace, optimising its code costs more than it saves.
  setFlagsFromString('--interrupt-budget=500000');
  const scripts = new Map();
  let temporal = null;
  const main = exports.fileOf(root, 'main');
  const requirePackage = createRequire(main);
  const requireTemporal = (name) =>
    (temporal ??= load(exports.fileOf(root, 'temporal'), requirePackage, scripts))[name]();
  load(main, (name) => (exports.isTemporal(name) ? requireTemporal(name) : requirePackage(name)), scripts);
  return scripts;
};

function load(code, require, scripts) {
  const text = readFileSync(code, 'latin1'); // esbuild writes ASCII
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: code,
    cachedData: compiled(exports.compiledOf(code), exports.idOf(text)),
  });
  scripts.set(code, { script, id: exports.idOf(text) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, code, dirname(code));
  return module.exports;
}

const ID_LENGTH = 64;

/** The digest that ends a bundle and begins its compiled code. V8 itself compares only the length of the text. */
exports.idOf = (text) => text.slice(-ID_LENGTH - 1, -1);

/** Undefined where it belongs to another text; V8 refuses what another Node wrote. Then the text is compiled anew. */
function compiled(file, id) {
  try {
    const bytes = readFileSync(file);
    return bytes.latin1Slice(0, ID_LENGTH) === id ? bytes.subarray(ID_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}

/** tsc and npm write these last. */
const MADE_FROM = [
  ...['core', 'workflows', 'node'].map((name) => join('dist', `${name}.tsbuildinfo`)),
  join('node_modules', '.package-lock.json'),
];

function isCurrent(root) {
  const writtenMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const madeMs = writtenMs(exports.fileOf(root, 'main'));
  return madeMs > 0 && MADE_FROM.every((file) => writtenMs(join(root, file)) <= madeMs);
}
