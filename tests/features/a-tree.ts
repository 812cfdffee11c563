import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

const COPIED = [
  ...['src', 'bin', 'config', 'tools/drill', 'tools/lint', 'package.json', '.oxlintrc.json', 'tsconfig.json'],
  ...['base', 'core', 'workflows', 'node'].map((name) => `tsconfig.${name}.json`),
];
const LINKED = ['node_modules', '.tools'];

/** Lists of features. Workflows are exported by name. */
const LISTS = ['kinds', 'schemas', 'plan', 'node', 'cli'];

export interface Said {
  readonly status: number | null;
  /** Standard output, then standard error. */
  readonly text: string;
}

/** A copy of the sources of the core: features of this checkout are not in it. */
export interface Tree {
  readonly root: string;
  /** Changes a source until `restore`, and what was compiled of it. Throws if the change changes nothing. */
  edit(path: string, change: (text: string) => string): void;
  /** Takes back all edits. */
  restore(): void;
  /** Runs `tsc -b`. */
  build(): Said;
  /** Checks the types of one project, against the declarations of the last build of others. */
  check(project: 'core' | 'workflows' | 'node'): Said;
  lint(path: string): Said;
  /** Runs the built program in a folder, with a home that has no services. */
  start(folder: string, ...args: readonly string[]): Said;
  /** Runs a script beside the compiled code. */
  node(script: string): Said;
  remove(): void;
}

/** Copies the sources of this checkout without its features, and links its packages and tools. */
export function aTree(): Tree {
  const root = mkdtempSync(join(tmpdir(), 'slipway-tree-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path), { recursive: true, verbatimSymlinks: true });
  for (const path of LINKED) symlinkSync(join(ROOT, path), join(root, path));
  takeFeaturesOut(join(root, 'src', 'features'));
  const before = new Map<string, string>();
  const run = (program: string, argv: readonly string[], cwd = root): Said => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SLIPWAY_HOME: join(root, 'home') };
    const { status, stdout, stderr } = spawnSync(program, argv, { cwd, encoding: 'utf8', env });
    return { status, text: stdout + stderr };
  };
  const write = (path: string, text: string): void => {
    if (!before.has(path)) before.set(path, readFileSync(join(root, path), 'utf8'));
    writeFileSync(join(root, path), text);
  };
  return {
    root,
    edit(path, change) {
      const text = readFileSync(join(root, path), 'utf8');
      const changed = change(text);
      if (changed === text) throw new Error(`${path} is the same after the edit`);
      write(path, changed);
      write(path.replace('src/', 'dist/').replace(/ts$/, 'js'), compiled(changed));
    },
    restore() {
      for (const [path, text] of before) writeFileSync(join(root, path), text);
      before.clear();
    },
    build: () => run(bin('tsc'), ['-b']),
    check: (project) => run(bin('tsc'), ['-p', `tsconfig.${project}.json`, '--noEmit']),
    lint: (path) => run(bin('oxlint'), ['-f', 'unix', path]),
    start: (folder, ...args) => run(process.execPath, [join(root, 'bin', 'slipway.js'), ...args], folder),
    node: (script) => run(process.execPath, ['-e', script]),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const compiled = (text: string): string =>
  transformSync(text, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  }).code;

/** Removes the folder of each feature, and its name from the lists. A feature of this checkout may have any name, also one that
 * the sample has. */
function takeFeaturesOut(features: string): void {
  const before = readdirSync(features, { withFileTypes: true });
  for (const { name } of before.filter((one) => one.isDirectory())) rmSync(join(features, name), { recursive: true });
  for (const { name } of before.filter((one) => one.isFile()))
    rewrite(join(features, name), (text) =>
      text
        .replace(/^(import|export) .* from '\.\/.*';\n/gm, '')
        .replace(/ = \{.*?\}/s, ' = {}')
        .replace(/\*\/\n$/, '*/\nexport {};\n'),
    );
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** Does what a person does who adds a feature: one folder, and its name in each of the six lists. */
export function addFeature({ root }: Tree, name: string, folder: string): void {
  const at = (file: string): string => join(root, 'src', 'features', file);
  cpSync(folder, at(name), { recursive: true });
  for (const list of LISTS)
    rewrite(at(`${list}.ts`), (text) =>
      `import { ${name} } from './${name}/${list}.js';\n${text}`.replace(' = {}', ` = { ${name} }`),
    );
  rewrite(at('workflows.ts'), (text) => text.replace('export {};', `export * from './${name}/workflows.js';`));
}
