// compile.cjs ROOT COMMAND…: runs a command of ROOT's bundle, and writes down what V8 has compiled by its end.
const { renameSync, writeFileSync } = require('node:fs');
const { compiledOf, loadBundle } = require('../../bin/bundle.js');

const [root, ...command] = process.argv.slice(2);
process.argv = [process.execPath, 'slipway', ...command];
const scripts = loadBundle(root);
process.once('exit', () => {
  for (const [code, { script, id }] of scripts) {
    const file = compiledOf(code);
    writeFileSync(`${file}.half`, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]));
    renameSync(`${file}.half`, file);
  }
});
