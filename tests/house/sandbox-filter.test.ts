import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/adapters/home.js';

const tool = pathToFileURL(join(packageRoot(), 'tools', 'sandbox', 'main.mjs')).href;
const folder = join(packageRoot(), 'config', 'sandbox');
const PRINT = `
const { FILTERS, filterOf } = await import('${tool}');
const made = Object.entries(FILTERS).map(([name, of]) => [name + '.bpf', filterOf(of).toString('base64')]);
console.log(JSON.stringify(Object.fromEntries(made)));
`;

test('given the filters of the sandbox, then `node tools/sandbox/main.mjs` writes the same bytes', () => {
  const made: unknown = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', PRINT], { encoding: 'utf8' }),
  );
  const kept = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
  expect(Object.fromEntries(kept)).toEqual(made);
});
