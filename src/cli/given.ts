import { fail, type Problem } from '../model/failure.js';
import { LABEL_FORM } from '../model/label.js';
import { onlyOf } from '../model/only.js';
import type { Given, Plan } from '../model/plan.js';
import { shellWord } from '../model/quoted.js';
import type { Input, Option } from './command.js';
import { notALabel, notAnId, notAPreset, notAReference, notASetting, notForATag, notForAWheel } from './errors.js';

/** Option of commands that print the problems of a release file. */
export const EVERY_PROBLEM = { flags: '--all', help: 'tell every problem, also many of one cause' } as const;

/** Options that a person may give beside a release file. Besides the label words, a plan never reads a clock or an environment. */
export const GIVEN_OPTIONS = [
  { flags: '--label <label>', help: 'label of a pipeline: a text, commit, date or minute (default: as its file says)' },
  {
    flags: '--snapshot',
    help: "a version of the commit in place of the file's: 1.4.2-snapshot.37.gabcdef0, in Python 1.4.2.dev37",
  },
  { flags: '--schedule <name>', help: 'what starts it, for tags of images: nightly' },
  { flags: '--build <id>', help: 'build that it belongs to, for tags of images' },
  { flags: '--pull <number>', help: 'pull request that it is of, for tags of images' },
  {
    flags: '--wheels <name=what>',
    help: 'which wheel is taken: a commit, a branch, owner:branch, latest, an address, file:PATH; more of them with commas',
    many: ',',
  },
  {
    flags: '--where <attr:value>',
    help: 'only imported tests that match, in place of where.match of the file: team:core,name:many_; of one attribute any, of several all',
    many: ',',
  },
  { flags: '--frequency <word>', help: 'only imported tests of it, in place of where.frequency: nightly, weekly, any' },
  { flags: '--smoke', help: 'imported tests that have a smoke test run as it' },
  {
    flags: '--since <ref>',
    help: 'a branch, tag or commit: entries with `when: { changed }` are left out if no path of theirs changed since its merge base',
  },
  { flags: '--offline', help: 'plan from what indexes and other repositories said before, of any age' },
  { flags: '--preset <name>', help: 'presets of the settings, in this order; more of them with commas', many: ',' },
  {
    flags: '--set <path=value>',
    help: 'a setting and its value as YAML: service.port=8080; more of them by another --set',
    many: '\0',
  },
  {
    flags: '--skip <id>',
    help: 'entries that are left out and count as done: steps/prepare; more of them with commas',
    many: ',',
  },
  {
    flags: '--only <id>',
    help: 'no other entries of its section than this one: tests/sail; more of them with commas',
    many: ',',
  },
] as const satisfies readonly Option[];

/** Options that a schedule keeps. Label, build and pull request belong to one run. */
const KEPT = ['schedule', 'wheels', 'where', 'frequency', 'smoke', 'preset', 'set', 'skip', 'only'];
export const SCHEDULED_OPTIONS: readonly Option[] = GIVEN_OPTIONS.filter(({ flags }) =>
  KEPT.includes(/^--([a-z]+)/.exec(flags)![1]!),
);

const TAG = /^[A-Za-z0-9_.-]{1,60}$/;
const ENTRY = /^[a-z][a-zA-Z0-9]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

interface Form {
  readonly form: RegExp;
  readonly fault: (value: string) => Problem;
  /** The separator of several values. Absent: there is one value. */
  readonly between?: ',' | '\0';
}
const FORMS: Readonly<Record<string, Form>> = {
  schedule: { form: TAG, fault: notForATag('schedule') },
  build: { form: TAG, fault: notForATag('build') },
  pull: { form: /^\d{1,12}$/, fault: notForATag('pull') },
  label: { form: LABEL_FORM, fault: notALabel },
  since: { form: /^(?!-)[^\s\0]{1,500}$/, fault: notAReference },
  preset: { form: /^[^\s,]+$/, fault: notAPreset, between: ',' },
  skip: { form: ENTRY, fault: notAnId('skip'), between: ',' },
  only: { form: ENTRY, fault: notAnId('only'), between: ',' },
  set: { form: /^[^=\s][^=]*=/, fault: notASetting, between: '\0' },
};

export function givenIn(options: Input['options']): Given {
  const said = Object.entries(FORMS).flatMap(([option, { form, fault, between }]) => {
    const text = options[option];
    if (typeof text !== 'string') return [];
    const values = between === undefined ? [text] : text.split(between);
    const clean = between === ',' ? values.map((one) => one.trim()) : values;
    const wrong = clean.filter((one) => !form.test(one));
    if (wrong.length > 0) throw fail(wrong.map(fault));
    return [[option, between === undefined ? text : clean] as const];
  });
  const set = ['offline', 'snapshot'].flatMap((option) => (options[option] === true ? [[option, true] as const] : []));
  return { ...Object.fromEntries([...said, ...set]), ...wheelsIn(options), ...testsIn(options) };
}

/** `ray=master,boat=owner:fix`. An address may have commas too. */
function wheelsIn({ wheels }: Input['options']): Pick<Given, 'wheels'> {
  if (typeof wheels !== 'string') return {};
  const pairs = wheels.split(/,(?=[A-Za-z0-9][A-Za-z0-9._-]*=)/).map((one) => {
    const [, name, what] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/.exec(one) ?? [];
    if (name === undefined || what === undefined) throw fail(notForAWheel(one));
    return [name, what] as const;
  });
  return { wheels: Object.fromEntries(pairs) };
}

/** An expression may have commas too: a filter begins with the name of an attribute. */
function testsIn({ where, frequency, smoke }: Input['options']): Pick<Given, 'tests'> {
  const tests = {
    ...(typeof where === 'string' && { where: where.split(/,(?=[a-z_/]+:)/) }),
    ...(typeof frequency === 'string' && { frequency }),
    ...(smoke === true && { smoke }),
  };
  return Object.keys(tests).length === 0 ? {} : { tests };
}

/** Returns the options that a plan was made with, as one would type them. Those of a bisect and of a comment cannot be typed. */
export function typedOptions({ given = {} }: Pick<Plan, 'given'>, label = given.label): readonly string[] {
  const { tests, wheels, ...rest } = given;
  const pairs = wheels && Object.entries(wheels).map((pair) => pair.join('='));
  const values: Readonly<Record<string, unknown>> = { ...rest, ...tests, only: onlyOf(given), label, wheels: pairs };
  return GIVEN_OPTIONS.flatMap(({ flags, ...option }) => {
    const name = /^--([a-z]+)/.exec(flags)![1]!;
    const value = values[name];
    if (value === true) return [`--${name}`];
    if (!Array.isArray(value)) return typeof value === 'string' ? [`--${name} ${shellWord(value)}`] : [];
    const isOneText = 'many' in option && option.many === ',';
    const texts = isOneText && value.length > 0 ? [value.join(',')] : value;
    return texts.map((text) => `--${name} ${shellWord(String(text))}`);
  });
}
