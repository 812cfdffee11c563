import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Side {
  readonly element?: { readonly type?: string; readonly types?: { readonly anyOf: readonly string[] } };
  readonly file?: { readonly categories: string };
}
interface Policy {
  readonly from: Side;
  readonly allow?: { readonly to: Side };
  readonly disallow?: { readonly to: Side };
  readonly message?: string;
}
interface Lint {
  readonly settings: {
    readonly 'boundaries/elements': readonly { readonly type: string; readonly pattern: string }[];
    readonly 'boundaries/files': readonly { readonly category: string; readonly pattern: string }[];
  };
  readonly rules: {
    readonly 'boundaries/dependencies': readonly [
      string,
      { readonly default: string; readonly policies: readonly Policy[] },
    ];
  };
  readonly overrides: readonly { readonly files: readonly string[] }[];
}
const lint = JSON.parse(read('.oxlintrc.json')) as Lint;
const elements = lint.settings['boundaries/elements'];
const [, dependencies] = lint.rules['boundaries/dependencies'];
const types = elements.map(({ type }) => type);

const isRoom = (path: string): boolean => existsSync(join(ROOT, path));

const namedBy = ({ element = {} }: Side): readonly string[] => [...(element.types?.anyOf ?? []), element.type ?? '*'];
const ROOMS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Rooms with a row in the table of packages of tools/lint/house.mjs. */
const withPackages = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '-e',
      "import('./tools/lint/house.mjs').then(({ PACKAGES }) => console.log(JSON.stringify(Object.keys(PACKAGES))))",
    ],
    { cwd: ROOT, encoding: 'utf8' },
  ),
) as readonly string[];

test('given an import without a rule, then the linter refuses it by default', () =>
  expect(dependencies.default).toBe('disallow'));

test.each(ROOMS)(
  'given src/%s, then it has import rules, a row of packages, and a row in docs/architecture.md',
  (room) => {
    const type = elements.find(({ pattern }) => pattern === `src/${room}`)?.type ?? 'none';
    const own = dependencies.policies.filter(({ from }) => from.element?.type === type);
    expect(own.filter(({ disallow, message }) => disallow && message).length).toBe(1);
    expect(own.filter(({ allow }) => allow).length).toBe(1);
    expect(withPackages).toContain(room);
    expect(read('docs/architecture.md')).toContain(`\n| \`${room}\` |`);
  },
);

test('given the import rules, then they name only existing rooms', () => {
  const named = dependencies.policies.flatMap(({ from, allow, disallow }) =>
    [from, allow?.to, disallow?.to].flatMap((side) => (side === undefined ? [] : namedBy(side))),
  );
  expect([...new Set(named)].filter((type) => type !== '*' && !types.includes(type))).toEqual([]);
  expect(elements.filter(({ pattern }) => !isRoom(pattern))).toEqual([]);
  expect(withPackages.filter((room) => !isRoom(`src/${room}`))).toEqual([]);
});

/** Files of a feature and its lists: no folder has all of them. */
const FEATURE = ['kinds', 'schemas', 'plan', 'workflows', 'node', 'cli'].flatMap((name) => [
  `src/features/${name}.ts`,
  `src/features/sample/${name}.ts`,
]);

test('given all sources and a new feature, then each file is in one project of tsc', () => {
  const projects = ['core', 'workflows', 'node'].map((name) => {
    const { include } = JSON.parse(read(`tsconfig.${name}.json`)) as { readonly include: readonly string[] };
    return include.map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace('*', '[^/]+')}(/|$)`));
  });
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
  const folders = [
    'src/features/sample/pure/a.ts',
    'src/features/sample/schemas/a.ts',
    'src/features/sample/node/b/c.ts',
  ];
  const wrong = [...sources, ...FEATURE, ...folders].filter(
    (file) => projects.filter((project) => project.some((pattern) => pattern.test(file))).length !== 1,
  );
  expect(wrong).toEqual([]);
});

test('given the lint configuration, then it names only existing folders and files', () => {
  const patterns = [
    ...lint.overrides.flatMap(({ files }) => files).filter((file) => file.startsWith('src/')),
    ...lint.settings['boundaries/files'].map(({ pattern }) => pattern),
  ];
  const gone = patterns.map((pattern) => pattern.replace(/\/?\*.*$/, '')).filter((path) => !isRoom(path));
  expect(gone).toEqual([]);
});
