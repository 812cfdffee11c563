import type { CommitFiles } from '../../model/checkout.js';
import type { Json, JsonObject } from '../../model/json.js';
import { normalName } from '../../model/python/file-name.js';
import type { Suite } from '../../model/suite.js';
import { at, type Folder, listAt, matched, textAt, textOf, tomlOf } from '../init/lookup.js';

const DIRS = ['tests', 'test', 'testing'];
/** Files with settings of pytest, and their sections. */
const SECTIONS = { 'pytest.ini': 'pytest', '.pytest.ini': 'pytest', 'tox.ini': 'pytest', 'setup.cfg': 'tool:pytest' };
const IS_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;
const PLAIN = /^[\w.-]+(\/[\w.-]+)*$/;
/** Limits of words in `testpaths`, and of groups that are read. */
const MOST_WORDS = 50;
const MOST_GROUPS = 200;
const PYTEST = /^pytest(?![\w.-])/i;

/** Returns the tests of a Python project: by pytest, else by what tox runs. */
export function pythonSuites(folder: Folder<CommitFiles>, paths: readonly string[]): readonly Suite[] {
  const config = configOf(folder);
  const has = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path}/`));
  const said = (config?.paths ?? []).slice(0, MOST_WORDS).filter((path) => PLAIN.test(path) && has(path));
  const usual = DIRS.filter((dir) => paths.some((path) => path.startsWith(`${dir}/`) && IS_TEST.test(path)));
  const dirs = said.length > 0 ? said : usual;
  const inside = paths.flatMap((path) => /^(?:src\/)?(\w+)\/tests\/test_\w+\.py$/.exec(path)?.[1] ?? [])[0];
  const first = dirs[0] ?? (inside && `${inside}/tests`);
  if (first === undefined) return [];
  const tox = textOf(folder, 'tox.ini');
  const lines = commandsOf(tox);
  const ofPytest = lines.filter((line) => /\bpytest\b/.test(line));
  const installed = toxLines(tox, 'deps');
  const deps = installed.filter((line) => /^[A-Za-z][^:{}+]*$/.test(line));
  const group = groupOf(tomlOf(folder, 'pyproject.toml'));
  const requires = [...new Set([...(group?.requires ?? []), ...deps])];
  const hasPytest = requires.some((one) => PYTEST.test(one));
  const isPytest = ofPytest.length === 1 || config !== null || hasPytest || lines.length === 0;
  const own = ofPytest.length === 1 ? ofPytest[0]! : `pytest ${(dirs[0] ? dirs : ['--pyargs', inside!]).join(' ')}`;
  const isOfTox = ofPytest.length === 1 || !isPytest;
  const from = [config?.file, isOfTox && 'commands in tox.ini', group?.name].filter(Boolean).join(', ');
  const where = paths.includes(first) ? first : `${first}/`;
  const tree = [
    ...dirs,
    ...['conftest.py', 'pyproject.toml', ...Object.keys(SECTIONS)].filter((path) => paths.includes(path)),
  ];
  return [
    {
      ...(isPytest ? { tool: 'pytest', name: `${where} (pytest)` } : { tool: 'tox', name: 'tox' }),
      run: isPytest ? own : lines.join(' && '),
      from: from || where,
      tree: tree.length > 0 ? tree : ['.'],
      requires: isPytest && !hasPytest ? [...requires, 'pytest'] : requires,
      in: filesNamed(installed, 'r', paths),
      constraints: filesNamed(installed, 'c', paths),
    },
  ];
}

/** Returns the lines of a value in an INI file: `key = value`, or indented lines below. Comments are left out. */
function valuesOf(text: string | null, section: string, key: string): readonly string[] {
  const parts = text?.replaceAll('\r\n', '\n').split(/^\[/m);
  const part = parts?.find((one) => one.startsWith(`${section}]`)) ?? null;
  const value = matched(part, new RegExp(`^${key}[ \\t]*[=:](.*(?:\\n(?:[ \\t].*|[#;].*)?(?=\\n|$))*)`, 'm')) ?? '';
  const lines = value.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => line.split(/(?:^|\s)[#;]/)[0]!.trim() || []);
}

const split = (text: string | null): readonly string[] => text?.split(/\/?(?:[\s,]+|$)/).filter(Boolean) ?? [];

/** Returns the file with pytest's settings, and the paths that it names. Null without. */
function configOf(folder: Folder<CommitFiles>): { readonly file: string; readonly paths: readonly string[] } | null {
  const project = at(tomlOf(folder, 'pyproject.toml'), 'tool', 'pytest');
  const own = at(project, 'ini_options') ?? project;
  if (own !== undefined)
    return { file: 'pyproject.toml', paths: listAt(own, 'testpaths') ?? split(textAt(own, 'testpaths')) };
  const found = Object.entries(SECTIONS).find(([file, section]) => {
    const text = textOf(folder, file);
    return text !== null && (/pytest/.test(file) || `\n${text}`.includes(`\n[${section}]`));
  });
  if (found === undefined) return null;
  return { file: found[0], paths: valuesOf(textOf(folder, found[0]), found[1], 'testpaths').flatMap(split) };
}

const GROUP = 'dependency-groups';
const EXTRA = 'optional-dependencies';
/** `boat[test,docs]`: extras of a project. */
const OF_ITSELF = /^([\w.-]+)(?:\[([\w.,\s-]+)\])?$/;

/** Returns the first group or extra of the requirements that has pytest; likely names come first. */
function groupOf(project: JsonObject | null): { readonly name: string; readonly requires: readonly string[] } | null {
  const tables = { [GROUP]: at(project, GROUP), [EXTRA]: at(project, 'project', EXTRA) };
  const all = Object.entries(tables).flatMap(([kind, table]) =>
    Object.entries((table ?? {}) as JsonObject).map(([name, group]) => ({ key: keyOf(kind, name), name, group })),
  );
  const groups = new Map(all.map(({ key, group }) => [key, group]));
  const own = normalName(textAt(project, 'project', 'name') ?? '');
  const readAll = (keys: readonly string[], seen: Set<string>): readonly string[] =>
    keys.flatMap((key) => {
      const group = groups.get(key);
      if (!Array.isArray(group) || seen.has(key) || seen.size >= MOST_GROUPS) return [];
      seen.add(key);
      return group.flatMap((entry) => {
        const parts = partsOf(entry, own);
        return parts === null ? [entry as string] : readAll(parts, seen);
      });
    });
  const read = (name: string, seen: Set<string>): readonly string[] =>
    readAll([keyOf(GROUP, name), keyOf(EXTRA, name)], seen);
  const seen = new Set<string>();
  const names = [...DIRS, 'dev', ...all.map(({ name }) => name)];
  const hasPytest = (requires: readonly string[]): boolean => requires.some((one) => PYTEST.test(one));
  const name = names.find((one) => hasPytest(read(one, seen)));
  if (name === undefined) return null;
  const kind = hasPytest(readAll([keyOf(GROUP, name)], new Set())) ? 'group' : 'extra';
  return { name: `${kind} ${name}`, requires: read(name, new Set()) };
}

const keyOf = (kind: string, name: string): string => `${kind} ${normalName(name)}`;

/** Returns the groups that an entry of a group stands for. Null: it is a requirement. */
function partsOf(entry: Json, own: string): readonly string[] | null {
  if (typeof entry !== 'string') return [keyOf(GROUP, textAt(entry, 'include-group') ?? '')];
  const [, name, extras = ''] = OF_ITSELF.exec(entry) ?? [];
  if (name === undefined || normalName(name) !== own) return null;
  return split(extras).map((extra) => keyOf(EXTRA, extra));
}

/** Lines of further factors are left out: `coverage: coverage report`. */
const toxLines = (tox: string | null, key: string): readonly string[] =>
  valuesOf(tox, 'testenv', key).flatMap((line) => {
    const [, factors, rest] = /^([\w.,!{}-]+):\s+(.*)$/.exec(line) ?? [];
    return factors === undefined ? [line] : /(^|,)(py)?test(s|ing)?(,|$)/.test(factors) ? [rest!] : [];
  });

/** `-r tests.txt`, `-rtests.txt`, `--requirement=tests.txt`, and the same of constraints. */
const NAMED = /^--?(r|c)(?:equirement[\s=]|onstraint[\s=])?\s*(?:(?:\{(?:toxinidir|tox_root)\}|\.)\/)?([^\s{}]+)$/;

/** Returns the files of the commit that lines name by `-r` or by `-c`. */
const filesNamed = (lines: readonly string[], letter: 'r' | 'c', paths: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const [, by, file = ''] = NAMED.exec(line) ?? [];
    return by === letter && paths.includes(file) ? [file] : [];
  });

/** Returns what tox runs in a usual environment without arguments. Empty if a line needs tox itself. */
function commandsOf(tox: string | null): readonly string[] {
  const filled = toxLines(tox, 'commands').map((line) =>
    line
      .replace(/\{(?:posargs|env:\w+)(?::([^{}]*))?\}/g, '$1')
      .replace(/\{(toxinidir|tox_root)\}/g, '.')
      .replace(/\{(envpython|env_python)\}/g, 'python')
      .trim(),
  );
  return filled.some((line) => /[{}]|^[-!]/.test(line)) ? [] : filled;
}
