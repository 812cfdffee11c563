import type { SourceLocation, Problem } from '../../../../model/failure.js';
import { type Depset, type Operation, OPERATIONS } from './depset.js';
import { readDocument, type Read } from './document.js';
import type { Work } from '../../../../importers/work.js';
import { problems } from './errors.js';
import { substituted } from './substitute.js';

type Raw = Readonly<Record<string, unknown>>;
type Complain = (problem: Problem) => void;

const LISTS = ['requirements', 'constraints', 'packages', 'depsets', 'append_flags', 'override_flags', 'pre_hooks'];
const TEXTS = ['name', 'operation', 'output', 'source_depset'];
const KEYS = [...TEXTS, ...LISTS, 'build_arg_sets', 'include_setuptools'];
const NAME = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

const isMap = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Depsets of one file; what is wrong is complained of, and the rest is read. */
export function depsetsIn(text: string, file: string, complain: Complain, work: Work): readonly Depset[] {
  if (!work(text.length, { file, line: 1 })) return [];
  const read = readDocument(text, file);
  if (!('value' in read)) {
    complain(read);
    return [];
  }
  const { depsets = [], build_arg_sets: sets = {} } = isMap(read.value) ? read.value : {};
  if (!Array.isArray(depsets) || !isMap(sets)) {
    complain(problems.wrongType(read.at(['depsets']), 'depsets', depsets, 'a list, with build_arg_sets as a map'));
    return [];
  }
  return (depsets as readonly unknown[]).flatMap((raw, index) => {
    const at = (key?: string): SourceLocation => read.at(['depsets', index, ...(key === undefined ? [] : [key])]);
    if (isMap(raw))
      return eachSet(raw, sets, at, complain, work).flatMap((one) => depset(one, { read, at }, complain) ?? []);
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

function depset(raw: Raw, { read, at }: { read: Read; at: Depset['at'] }, complain: Complain): Depset | null {
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
    config: read.file,
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
