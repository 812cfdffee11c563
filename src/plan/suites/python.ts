import type { Json, JsonObject } from '../../model/json.js';
import { normalName } from '../../model/python/file-name.js';
import type { Suite } from '../../model/suite.js';
import { at, listAt, matched, textAt } from '../init/lookup.js';
import type { SuiteFacts } from './suites.js';

const DIRS = ['tests', 'test', 'testing'];
const CONFIGS = ['pyproject.toml', 'pytest.ini', '.pytest.ini', 'tox.ini', 'setup.cfg'];
const IS_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;
const PLAIN = /^[\w.-]+(\/[\w.-]+)*$/;
/** Limits of words in `testpaths`, and of groups that are read. */
const MOST_WORDS = 50;
const MOST_GROUPS = 200;
const PYTEST = /^pytest(?![\w.-])/i;

/** Returns the tests of a Python project: by pytest, else by what tox runs. */
export function pythonSuites(facts: SuiteFacts): readonly Suite[] {
  const { paths, texts, toml } = facts;
  const config = configOf(facts);
  const has = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path}/`));
  const said = (config?.paths ?? []).slice(0, MOST_WORDS).filter((path) => PLAIN.test(path) && has(path));
  const usual = DIRS.filter((dir) => paths.some((path) => path.startsWith(`${dir}/`) && IS_TEST.test(path)));
  const dirs = said.length > 0 ? said : usual;
  const inside = paths.flatMap((path) => /^(?:src\/)?(\w+)\/tests\/test_\w+\.py$/.exec(path)?.[1] ?? [])[0];
  if (dirs.length === 0 && inside === undefined) return [];
  const lines = commandsOf(texts['tox.ini']);
  const ofPytest = lines.filter((line) => /\bpytest\b/.test(line));
  const deps = wordsOf(texts['tox.ini'], 'testenv', 'deps').filter((line) => /^[A-Za-z][^:{}+]*$/.test(line));
  const group = groupOf(toml['pyproject.toml']);
  const requires = [...new Set([...(group?.requires ?? []), ...deps])];
  const hasPytest = requires.some((one) => PYTEST.test(one));
  const isPytest = ofPytest.length === 1 || config !== null || hasPytest || lines.length === 0;
  const own = ofPytest.length === 1 ? ofPytest[0]! : `pytest ${(dirs[0] ? dirs : ['--pyargs', inside!]).join(' ')}`;
  const isOfTox = ofPytest.length === 1 || !isPytest;
  const from = [config?.file, isOfTox && 'commands in tox.ini', group?.name].filter(Boolean).join(', ');
  const first = dirs[0] ?? `${inside}/tests`;
  const where = paths.includes(first) ? first : `${first}/`;
  const tree = [...dirs, ...['conftest.py', ...CONFIGS].filter((path) => paths.includes(path))];
  return [
    {
      ...(isPytest ? { tool: 'pytest', name: `${where} (pytest)` } : { tool: 'tox', name: 'tox' }),
      run: isPytest ? own : lines.join(' && '),
      from: from || where,
      tree: tree.length > 0 ? tree : ['.'],
      requires: isPytest && !hasPytest ? [...requires, 'pytest'] : requires,
    },
  ];
}

/** Returns the lines of a value in an INI file: `key = value`, or indented lines below. Comments are left out. */
function wordsOf(text: string | undefined, section: string, key: string): readonly string[] {
  const parts = text?.replaceAll('\r\n', '\n').split(/^\[/m);
  const part = parts?.find((one) => one.startsWith(`${section}]`)) ?? null;
  const value = matched(part, new RegExp(`^${key}[ \\t]*[=:](.*(?:\\n(?:[ \\t].*|[#;].*)?(?=\\n|$))*)`, 'm')) ?? '';
  const lines = value.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => line.split(/(?:^|\s)[#;]/)[0]!.trim() || []);
}

/** Returns the file with pytest's settings, and the paths that it names. Null without. */
function configOf({ texts, toml }: SuiteFacts): { readonly file: string; readonly paths: readonly string[] } | null {
  const project = at(toml['pyproject.toml'], 'tool', 'pytest');
  const own = at(project, 'ini_options') ?? project;
  if (own !== undefined)
    return { file: 'pyproject.toml', paths: listAt(own, 'testpaths') ?? split(textAt(own, 'testpaths')) };
  const file = CONFIGS.find((name) =>
    /pytest/.test(name) ? texts[name] !== undefined : /^\[(tool:)?pytest\]/m.test(texts[name] ?? ''),
  );
  if (file === undefined) return null;
  const section = file === 'setup.cfg' ? 'tool:pytest' : 'pytest';
  return { file, paths: wordsOf(texts[file], section, 'testpaths').flatMap(split) };
}

const split = (text: string | null): readonly string[] => text?.split(/\/?(?:[\s,]+|$)/).filter(Boolean) ?? [];

const GROUPS = ['dependency-groups'];
const EXTRAS = ['project', 'optional-dependencies'];
/** `boat[test,docs]`: extras of a project. */
const OF_ITSELF = /^([\w.-]+)(?:\[([\w.,\s-]+)\])?$/;
const keyOf = (kind: readonly string[], name: string): string => [...kind, normalName(name)].join(' ');

/** Returns the first group or extra of the requirements that has pytest; likely names come first. */
function groupOf(
  project: JsonObject | undefined,
): { readonly name: string; readonly requires: readonly string[] } | null {
  const all = [GROUPS, EXTRAS].flatMap((kind) =>
    Object.entries((at(project, ...kind) ?? {}) as JsonObject).map(([name, group]) => ({ kind, name, group })),
  );
  const groups = new Map(all.map(({ kind, name, group }) => [keyOf(kind, name), group]));
  const own = normalName(textAt(project, 'project', 'name') ?? '');
  const read = (name: string, seen: Set<string>): readonly string[] => {
    const found: string[] = [];
    const left: { key: string; or?: string }[] = [{ key: keyOf(EXTRAS, name) }, { key: keyOf(GROUPS, name) }];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const { key, or } = one;
      const group = groups.get(key);
      if (or !== undefined) found.push(or);
      else if (Array.isArray(group) && !seen.has(key) && seen.size < MOST_GROUPS) {
        seen.add(key);
        for (const entry of group.toReversed()) left.push(...partsOf(entry, own));
      }
    }
    return found;
  };
  const seen = new Set<string>();
  const name = [...DIRS, 'dev', ...all.map((one) => one.name)].find((one) =>
    read(one, seen).some((requirement) => PYTEST.test(requirement)),
  );
  return name === undefined ? null : { name: `group ${name}`, requires: read(name, new Set()) };
}

/** Returns the groups that an entry of a group stands for; else the entry as a requirement. */
function partsOf(entry: Json, own: string): readonly { key: string; or?: string }[] {
  if (typeof entry !== 'string') return [{ key: keyOf(GROUPS, textAt(entry, 'include-group') ?? '') }];
  const [, name, extras = ''] = OF_ITSELF.exec(entry) ?? [];
  if (name === undefined || normalName(name) !== own) return [{ key: '', or: entry }];
  return split(extras).map((extra) => ({ key: keyOf(EXTRAS, extra) }));
}

/** Returns what tox runs in a usual environment without arguments. Empty if a line needs tox itself. */
function commandsOf(tox: string | undefined): readonly string[] {
  const lines = wordsOf(tox, 'testenv', 'commands').flatMap((line) => {
    // Lines of further factors are left out: `coverage: coverage report`.
    const [, factors, rest] = /^([\w.,!{}-]+):\s+(.*)$/.exec(line) ?? [];
    return factors === undefined ? [line] : /(^|,)(py)?test(s|ing)?(,|$)/.test(factors) ? [rest!] : [];
  });
  const filled = lines.map((line) =>
    line
      .replace(/\{(?:posargs|env:\w+)(?::([^{}]*))?\}/g, '$1')
      .replace(/\{(toxinidir|tox_root|envpython|env_python)\}/g, (_, word: string) =>
        word.startsWith('tox') ? '.' : 'python',
      )
      .trim(),
  );
  return filled.some((line) => /[{}]|^[-!]/.test(line)) ? [] : filled;
}
