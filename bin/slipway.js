#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '..', 'dist', 'cli', 'main.js');
if (existsSync(main)) require(main);
else {
  const root = join(__dirname, '..');
  console.error(`  NOT_BUILT (config) Slipway in ${root} is not built yet\n  next: Type \`npm start\` there.`);
  process.exitCode = 1;
}
