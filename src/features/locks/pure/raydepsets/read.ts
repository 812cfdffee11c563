import type { SourceLocation, Problem } from '../../../../model/failure.js';
import type { Complain } from '../../../../importers/file-problem.js';
import { readDoc } from '../../../../importers/pyyaml/read.js';
import { jsonOf, positionOf, sizeOf, valueAt } from '../../../../importers/pyyaml/tree.js';
import type { Work } from '../../../../importers/work.js';
import { isObject as isMap } from '../../../../model/check.js';
import { type Depset, type Operation, OPERATIONS } from './depset.js';
import { problems } from './errors.js';

/** `$$`, `${NAME}`, `$NAME`, or a sign that means nothing. */
const SIGN = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)|)/g;

type Raw = Readonly<Record<string, unknown>>;

const LISTS = ['requirements', 'constraints', 'packages', 'depsets', 'append_flags', 'override_flags', 'pre_hooks'];
const TEXTS = ['name', 'operation', 'output', 'source_depset'];
const KEYS = [...TEXTS, ...LISTS, 'build_arg_sets', 'include_setuptools'];
const NAME = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Depsets of one file; what is wrong is complained of, and the rest is read. */
export function depsetsIn(text: string, file: string, complain: Complain, work: Work): readonly Depset[] {
  if (!work(text.length, { file, line: 1 })) return [];
  const doc = readDoc(text, file, ({ place = { file }, message }) => complain(problems.notYaml(place, message)));
  if (doc === null || !work(sizeOf(doc.tree), { file, line: 1 })) return [];
  const said = jsonOf(doc.tree);
  const { depsets = [], build_arg_sets: sets = {} } = isMap(said) ? said : {};
  const list = valueAt(doc.tree, ['depsets']);
  if (!Array.isArray(depsets) || !isMap(sets)) {
    const place = doc.place(positionOf(doc.tree, ['depsets']));
    complain(problems.wrongType(place, 'depsets', depsets, 'a list, with build_arg_sets as a map'));
    return [];
  }
  return (list?.kind === 'list' ? list.items : []).flatMap((tree) => {
    const raw = jsonOf(tree);
    const at = (key?: string): SourceLocation => doc.place(positionOf(tree, key === undefined ? [] : [key]));
    if (isMap(raw))
      return eachSet(raw, sets, at, complain, work).flatMap((one) => depset(one, file, at, complain) ?? []);
    complain(problems.wrongType(at(), 'a depset', raw, 'a map'));
    return [];
  });
}

/** One for each set of variables that it names; none named: as it is. */
function eachSet(raw: Raw, sets: Raw, at: Depset['at'], complain: Complain, work: Work): readonly Raw[] {
  const named = raw['build_arg_sets'] ?? [];
  const name = String(raw['name'] ?? 'a depset');
  if (!isTexts(named)) {
    complain(problems.wrongType(at('build_arg_sets'), 'build_arg_sets', named, 'a list of names'));
    return [];
  }
  if (named.length === 0) return [raw];
  if (!work(named.length * JSON.stringify(raw).length, at('build_arg_sets'))) return [];
  return named.flatMap((key) => {
    const set = Object.hasOwn(sets, key) ? sets[key] : undefined;
    if (isMap(set)) return [filled(raw, set, name, at, complain, work)];
    complain(problems.unknownArgSet(at('build_arg_sets'), name, key, Object.keys(sets)));
    return [];
  });
}

function filled(raw: Raw, set: Raw, name: string, at: Depset['at'], complain: Complain, work: Work): Raw {
  const textIn = (key: string) => (variable: string, whole: string) => {
    if (!Object.hasOwn(set, variable)) {
      complain(problems.unknownVariable(at(key), name, whole, Object.keys(set)));
      return null;
    }
    const text = String(set[variable]);
    return work(text.length, at(key)) ? text : null;
  };
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, substituted(value, textIn(key))]));
}

function depset(raw: Raw, file: string, at: Depset['at'], complain: Complain): Depset | null {
  const faults = [...typeFaults(raw, at), ...keyFaults(raw, at)];
  for (const fault of faults) complain(fault);
  if (faults.length > 0) return null;
  const text = (key: string): string => String(raw[key] ?? '');
  const list = (key: string): readonly string[] => (raw[key] ?? []) as readonly string[];
  return {
    name: text('name'),
    operation: raw['operation'] as Operation,
    output: text('output'),
    requirements: list('requirements'),
    constraints: list('constraints'),
    packages: list('packages'),
    source: typeof raw['source_depset'] === 'string' ? raw['source_depset'] : null,
    depsets: list('depsets'),
    append: list('append_flags'),
    override: list('override_flags'),
    hooks: list('pre_hooks'),
    setuptools: raw['include_setuptools'] === true,
    config: file,
    at,
  };
}

function typeFaults(raw: Raw, at: Depset['at']): readonly Problem[] {
  const wrong = (key: string, wanted: string): Problem => problems.wrongType(at(key), key, raw[key], wanted);
  const said = (key: string): boolean => raw[key] !== undefined && raw[key] !== null;
  return [
    ...TEXTS.filter((key) => said(key) && typeof raw[key] !== 'string').map((key) => wrong(key, 'a text')),
    ...LISTS.filter((key) => said(key) && !isTexts(raw[key])).map((key) => wrong(key, 'a list of texts')),
  ];
}

/** A key without a value is null in YAML. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function keyFaults(raw: Raw, at: Depset['at']): readonly Problem[] {
  const { name, operation, output, source_depset: source } = raw;
  const called = typeof name === 'string' ? name : 'a depset';
  const needsSource = operation === 'subset' || operation === 'relax';
  return [
    ...Object.keys(raw)
      .filter((key) => !KEYS.includes(key))
      .map((key) => problems.unknownKey(at(key), key, KEYS)),
    ...(isAbsent(name) ? [problems.noSource(at(), called, 'name')] : []),
    ...(typeof name === 'string' && !NAME.test(name) ? [problems.badName(at('name'), name)] : []),
    ...(isAbsent(output) ? [problems.noSource(at(), called, 'output')] : []),
    ...(OPERATIONS.includes(operation as Operation)
      ? []
      : [problems.unknownOperation(at('operation'), called, operation)]),
    ...(needsSource && isAbsent(source) ? [problems.noSource(at(), called, 'source_depset')] : []),
  ];
}

/** Fills in variables, in all texts of a value. @param textOf returns the value of a variable; null: it stays as it is */
function substituted(value: unknown, textOf: (name: string, whole: string) => string | null): unknown {
  if (typeof value === 'string')
    return value.replace(SIGN, (whole: string, sign?: string, braced?: string, bare?: string) => {
      if (sign !== undefined) return '$';
      return textOf(braced ?? bare ?? '', whole) ?? whole;
    });
  if (Array.isArray(value)) return value.map((one) => substituted(one, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one, textOf)]));
}
