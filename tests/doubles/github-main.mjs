// Runs the double of GitHub: node tests/doubles/github-main.mjs [PORT]. GITHUB_DOUBLE_TOKEN is its token; alice may write.
// curl -d '{"head":"COMMIT"}' ADDRESS/control/pulls                  opens a pull request, and prints its number
// curl -d '{"body":"/test JOB"}' ADDRESS/control/pulls/1/comments    writes a comment, and prints its number
// curl ADDRESS/control/delivery/101                                  prints what GitHub would deliver of it, to be signed
// curl ADDRESS/control/comments                                      shows all comments
import { transformFileSync } from '@swc/core';
import { existsSync } from 'node:fs';
import Module, { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
};
Module._extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, options).code, file);
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, parent, ...rest) => {
  const path =
    name.startsWith('.') && parent?.path
      ? new URL(name, `file://${parent.path}/`).pathname.replace(/\.js$/, '.ts')
      : '';
  return existsSync(path) ? path : resolve(name, parent, ...rest);
};

const { startGithub } = require('./github.ts');
const double = await startGithub(process.env.GITHUB_DOUBLE_TOKEN, Number(process.argv[2] ?? 7480));
double.people.alice = 'write';
console.log(double.address);
