#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { runBundle } = require('./bundle.js');

const root = join(__dirname, '..');
const main = join(root, 'dist', 'cli', 'main.js');
if (!existsSync(main)) {
  console.error(`  NOT_BUILT (config) Slipway in ${root} is not built yet\n  next: Type \`npm start\` there.`);
  process.exitCode = 1;
} else if (!runBundle(root)) require(main);
