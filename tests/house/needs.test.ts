import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TESTS = join(__dirname, '..');

interface Need {
  readonly means: string;
  /** Whoever has this has those too. */
  readonly covers: readonly string[];
  /** Names of `slipway doctor` that must be well. */
  readonly doctor: readonly string[];
  readonly programs: readonly string[];
  /** Variables of the environment that must be set. */
  readonly variables?: readonly string[];
  /** Command lines that must succeed; they tell rights of this machine. */
  readonly commands?: readonly (readonly string[])[];
  /** What a suite writes that has this need; itself, or in a module of tests/ that it imports. */
  readonly helpers: readonly string[];
}
const NEEDS = JSON.parse(readFileSync(join(TESTS, 'needs.json'), 'utf8')) as Readonly<Record<string, Need>>;
const IMPORT = /^(?:import|export) (type )?[^;]*?from '([^']+)';$/gm;

const suites = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
const read = once((file) => readFileSync(join(TESTS, file), 'utf8'));
const declared = (text: string): readonly string[] =>
  (/^\/\*\*[^/]*?@needs ([^*\n@]*)/.exec(text)?.[1] ?? '').trim().split(/\s+/).filter(Boolean);

/** The modules of tests/ that a module runs, itself included. */
function modulesOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, type, from] of read(file).matchAll(IMPORT)) {
    const to = relative(TESTS, join(TESTS, dirname(file), from!)).replace(/\.js$/, '.ts');
    if (type === undefined && from!.startsWith('.') && !to.startsWith('..')) modulesOf(to, seen);
  }
  return seen;
}

/** A module without its imports, its comments and what it only offers to others. */
const used = once((file) =>
  read(file)
    .replace(IMPORT, '')
    .replace(/\/\*\*[^]*?\*\//g, '')
    .replace(/(function|class|const|type|interface) \w+/g, ''),
);

/** Asks once for each file: most modules are part of many suites. */
function once(text: (file: string) => string): (file: string) => string {
  const known = new Map<string, string>();
  return (file) => {
    const answer = known.get(file) ?? text(file);
    known.set(file, answer);
    return answer;
  };
}

/** What of `needs` a suite uses without saying so, as `need (helper in module)`. */
function undeclared(suite: string): readonly string[] {
  const said = declared(read(suite)).flatMap((need) => [need, ...(NEEDS[need]?.covers ?? [])]);
  const modules = [...modulesOf(suite)];
  return Object.entries(NEEDS)
    .filter(([need]) => !said.includes(need))
    .flatMap(([need, { helpers }]) =>
      modules.flatMap((file) =>
        helpers.filter((helper) => used(file).includes(helper)).map((helper) => `${need} (${helper} in ${file})`),
      ),
    );
}

test('given a suite that uses a server or a program, then its first comment declares it with @needs', () => {
  const silent = suites.map((suite) => [suite, undeclared(suite)] as const).filter(([, needs]) => needs.length > 0);
  expect(Object.fromEntries(silent)).toEqual({});
});

test('given a declared need, then tests/needs.json defines it', () => {
  const unknown = suites.flatMap((suite) => declared(read(suite)).filter((need) => !Object.hasOwn(NEEDS, need)));
  expect(unknown).toEqual([]);
});

test('given @needs in a file, then it is in the first comment, where it is read', () => {
  expect(suites.filter((suite) => /^.*@needs [a-z]/m.test(read(suite)) && declared(read(suite)).length === 0)).toEqual([
    relative(TESTS, __filename),
  ]);
});

test('given @slow or @long in a suite, then it is in the first comment, where it is read', () => {
  const late = /^ *(\/?\*+|\/\/) .*@(slow|long)\b/m;
  const inFirst = /^\/\*\*[^/]*?@(slow|long)\b/;
  expect(suites.filter((suite) => late.test(read(suite)) && !inFirst.test(read(suite)))).toEqual([]);
});

test('given every suite, then none sets a timeout of its own', () => {
  const own = /jest\.setTimeout\(|^ *\},\s*(?:\d[\d_]{3,}|[A-Z_]*MS),?\s*\);$/m;
  expect(suites.filter((suite) => own.test(read(suite)) && suite !== relative(TESTS, __filename))).toEqual([]);
});
