import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licences } from './licences.mjs';
import { places } from './places.mjs';
import { temporalPackages } from './temporal-packages.mjs';
import { withoutLocales } from './without-locales.mjs';

const { fileOf } = createRequire(import.meta.url)('../../bin/bundle.js');

/** Large, and loaded by few commands: a store on S3, the Docker engine. */
const EXTERNAL = ['@aws-sdk/*', 'dockerode'];

const COMPILE = fileURLToPath(new URL('compile.cjs', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('example.yaml', import.meta.url));

/** Writes the files of the command line with their source maps, and their code as V8 compiled it. */
export async function bundle(root) {
  mkdirSync(dirname(fileOf(root, 'main')), { recursive: true });
  const temporal = temporalPackages();
  const main = await write(root, 'main', {
    entryPoints: ['src/cli/main.ts'],
    external: EXTERNAL,
    plugins: [places(join(root, 'src')), withoutLocales(), temporal.plugin],
  });
  const packages = await write(root, 'temporal', {
    stdin: { contents: temporal.entry(), resolveDir: root, sourcefile: 'temporal.js' },
  });
  replace(join(dirname(fileOf(root, 'main')), 'licences.txt'), licences(root, [...main, ...packages]));
  compile(root);
}

/** @returns paths of what is in the file */
async function write(root, name, from) {
  const code = fileOf(root, name);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    outfile: code,
    ...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs', charset: 'ascii' },
    ...{ sourcemap: true, sourcesContent: false, write: false, metafile: true, logLevel: 'warning' },
    // A script has no loader of modules: `import()` becomes `require`.
    supported: { 'dynamic-import': false },
    ...from,
  });
  for (const { path, text } of outputFiles) replace(path, path === code ? `${text}// ${idOf(text)}\n` : text);
  return Object.keys(metafile.inputs);
}

const idOf = (text) => createHash('sha256').update(text).digest('hex');

/** Killed at any point, the old file or the new one is there. */
function replace(path, content) {
  writeFileSync(`${path}.half`, content);
  renameSync(`${path}.half`, path);
}

/** Runs two commands, so that their functions are among the compiled ones. No server answers at the address. */
function compile(root) {
  const home = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
  const env = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const slipway = (...argv) => spawnSync(process.execPath, [COMPILE, root, ...argv], { stdio: 'ignore', env });
  try {
    slipway('plan', EXAMPLE);
    slipway('status', 'none');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
