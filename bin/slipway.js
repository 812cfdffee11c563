#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { fileOf, runBundle } = require('./bundle.js');

const root = join(__dirname, '..');
const main = join(root, 'dist', 'cli', 'main.js');
// The package that others install has no src, and of the command line the bundle alone.
const isPackage = !existsSync(join(root, 'src')) && existsSync(fileOf(root, 'main'));
if (!existsSync(main) && !isPackage) {
  console.error(`  NOT_BUILT (config) Slipway in ${root} is not built yet\n  next: Type \`npm start\` there.`);
  process.exitCode = 1;
} else if (!runBundle(root)) require(main);
