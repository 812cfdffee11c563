// Writes docs/reference and the JSON Schema from the sources: `npm run build`, then `node tools/docs/main.mjs`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliPage } from './cli.mjs';
import { errorsPage } from './errors.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = createRequire(join(root, 'dist', 'x.js'));

/** Pages by name; with `--check` they are compared with the files instead. */
function pages() {
  const { FEATURE_CLIS } = built('./features/cli.js');
  const groups = built('./cli/commands.js').commandGroups(FEATURE_CLIS);
  const { FAILURE_CLASSES: classes } = built('./model/failure.js');
  const { FAILURE_PATTERNS: signs, FAILURE_SOURCES: sources } = built('./model/failure-patterns.js');
  const files = ['src', 'tools/drill'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .sort((a, b) => (a < b ? -1 : 1))
      .map((file) => join(root, folder, file)),
  );
  return {
    'docs/reference/cli.md': cliPage(groups.flatMap(({ commands }) => commands)),
    'docs/reference/errors.md': errorsPage(root, { classes, signs, sources }, files),
    'docs/reference/release-file.md': built('./plan/reference/page.js').releaseFilePage(),
    'config/slipway.schema.json': built('./plan/reference/json-schema.js').releaseFileSchemaText(),
  };
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const stale = Object.entries(pages()).filter(([name, text]) => read(join(root, name)) !== text);

if (process.argv.includes('--check')) {
  for (const [name] of stale) console.log(`${name} is old: npm run build && node tools/docs/main.mjs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(join(root, 'docs', 'reference'), { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(root, name), text);
}
