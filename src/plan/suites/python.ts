import type { Suite } from '../../model/suite.js';
import { at, listAt, matched, textAt } from '../init/lookup.js';
import type { SuiteFacts } from './suites.js';

const DIRS = ['tests', 'test', 'testing'];
const CONFIGS = ['pyproject.toml', 'pytest.ini', '.pytest.ini', 'tox.ini', 'setup.cfg'];
const IS_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;
const PLAIN = /^[\w.-]+(\/[\w.-]+)*$/;
const PYTEST = /^pytest(?![\w.-])/i;

/** Returns the tests of a Python project: by pytest, else by what tox runs; and the further environments of tox. */
export function pythonSuites(facts: SuiteFacts): readonly Suite[] {
  const { paths, texts, toml } = facts;
  const config = configOf(facts);
  const has = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path}/`));
  const said = (config?.paths ?? []).filter((path) => PLAIN.test(path) && has(path));
  const usual = DIRS.filter((dir) => paths.some((path) => path.startsWith(`${dir}/`) && IS_TEST.test(path)));
  const dirs = said.length > 0 ? said : usual;
  const inside = paths.flatMap((path) => /^(?:src\/)?(\w+)\/tests\/test_\w+\.py$/.exec(path)?.[1] ?? [])[0];
  const others = othersOf(texts['tox.ini']);
  if (dirs.length === 0 && inside === undefined) return others;
  const lines = commandsOf(texts['tox.ini']);
  const ofPytest = lines.filter((line) => /\bpytest\b/.test(line));
  const deps = wordsOf(texts['tox.ini'], 'testenv', 'deps').filter((line) => /^[A-Za-z][^:{}+]*$/.test(line));
  const group = groupOf(toml['pyproject.toml']);
  const requires = [...new Set([...(group?.requires ?? []), ...deps])];
  const isPytest = ofPytest.length === 1 || config !== null || requires.some(isPytestItself) || lines.length === 0;
  const own = ofPytest.length === 1 ? ofPytest[0]! : `pytest ${(dirs[0] ? dirs : ['--pyargs', inside!]).join(' ')}`;
  const isOfTox = ofPytest.length === 1 || !isPytest;
  const from = [config?.file, isOfTox && 'commands in tox.ini', group?.name].filter(Boolean).join(', ');
  const where = dirs.find((path) => !paths.includes(path)) ?? `${inside}/tests`;
  const tree = [...dirs, ...['conftest.py', ...CONFIGS].filter((path) => paths.includes(path))];
  const suite: Suite = {
    ...(isPytest ? { tool: 'pytest', name: `${where}/ (pytest)` } : { tool: 'tox', name: 'tox' }),
    run: isPytest ? own : lines.join(' && '),
    from: from || `${where}/`,
    tree: tree.length > 0 ? tree : ['.'],
    requires: isPytest && !requires.some(isPytestItself) ? [...requires, 'pytest'] : requires,
  };
  return [suite, ...others];
}

const isPytestItself = (requirement: string): boolean => PYTEST.test(requirement);

/** Returns the lines of a value in an INI file: `key = value`, or indented lines below. Comments are left out. */
function wordsOf(text: string | undefined, section: string, key: string): readonly string[] {
  const part = text?.split(/^\[/m).find((one) => one.startsWith(`${section}]`)) ?? null;
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

const split = (text: string | null): readonly string[] =>
  text
    ?.split(/[\s,]+/)
    .map((word) => word.replace(/\/$/, ''))
    .filter(Boolean) ?? [];

/** Returns the first group or extra of the requirements that has pytest; likely names come first. */
function groupOf(
  project: SuiteFacts['toml'][string] | undefined,
): { readonly name: string; readonly requires: readonly string[] } | null {
  const kinds = [['dependency-groups'], ['project', 'optional-dependencies']];
  const requires = (name: string, seen: Set<string>): readonly string[] =>
    kinds.flatMap((kind) => {
      const group = at(project, ...kind, name);
      const all: readonly unknown[] = seen.has(name) || !Array.isArray(group) ? [] : group;
      if (all.length > 0) seen.add(name);
      return all.flatMap((one) => {
        const others =
          typeof one === 'string' ? OF_ITSELF.exec(one) : ['', null, textAt(one as never, 'include-group') ?? ''];
        const isOwn = others !== null && [null, textAt(project, 'project', 'name')].includes(others[1] ?? null);
        return isOwn ? split(others[2]!).flatMap((other) => requires(other, seen)) : [one as string];
      });
    });
  const names = [...DIRS, 'dev', ...kinds.flatMap((kind) => Object.keys((at(project, ...kind) ?? {}) as object))];
  const name = names.find((one) => requires(one, new Set()).some(isPytestItself));
  return name === undefined ? null : { name: `group ${name}`, requires: requires(name, new Set()) };
}

/** `boat[test,docs]`: extras of a project. */
const OF_ITSELF = /^([\w.-]+)\[([\w.,\s-]+)\]$/;

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

/** Environments that `tox` runs besides those of a Python. */
const othersOf = (tox: string | undefined): readonly Suite[] =>
  ['env_list', 'envlist']
    .flatMap((key) => wordsOf(tox, 'tox', key))
    .flatMap((line) => split(line.replace(/\{[^{}]*\}/g, '{}')))
    .filter((name) => /^[\w.-]+$/.test(name) && !/^(py|pypy)[\d.]*t?(-|$)/.test(name))
    .map((name) => ({ tool: 'tox', name: `tox -e ${name}`, run: null, from: 'tox.ini', tree: [], requires: null }));
