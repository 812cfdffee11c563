import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'slipway-tests');

/** A bundle takes seconds of a core, and a dozen suites ask for the same one: it is kept by the digest of all sources.
 * @param what tells one way of bundling from another */
export async function keptBundle(what: string, make: () => Promise<{ code: string }>): Promise<{ code: string }> {
  const path = join(FOLDER, `${digestOf(what)}.js`);
  const kept = textAt(path);
  if (kept !== null) return { code: kept };
  const code = withoutMap((await make()).code);
  mkdirSync(FOLDER, { recursive: true });
  const partial = `${path}.${randomUUID()}`; // another suite may write it at the same time
  writeFileSync(partial, code);
  renameSync(partial, path);
  forget();
  return { code };
}

/** Each worker parses the source map of its bundle anew, and Jest maps no stack trace of a workflow by it. */
export function withoutMap(code: string): string {
  const map = JSON.stringify({ version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' });
  const inline = Buffer.from(map).toString('base64');
  return `${code.slice(0, code.lastIndexOf(MAP))}${MAP}data:application/json;base64,${inline}`;
}
const MAP = '//# sourceMappingURL=';

function digestOf(what: string): string {
  const hash = createHash('sha256').update(what);
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of [...sources.sort().map((name) => join('src', name)), 'package-lock.json', ...MAKERS])
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 32);
}

const MAKERS = ['tests/temporal-env.ts', 'tests/support/bundle-cache.ts'];

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const KEPT = 6;

/** The oldest go: every change of a source makes a new one. */
function forget(): void {
  const files = readdirSync(FOLDER, { withFileTypes: true }).filter((file) => file.isFile());
  const byAge = files.map(({ name }) => join(FOLDER, name)).sort((a, b) => writtenMs(b) - writtenMs(a));
  for (const path of byAge.slice(KEPT)) rmSync(path, { force: true });
}
const writtenMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
