import { z } from 'zod';
import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import { fieldOf, together } from '../together.js';
import { ClusterTest } from './sections/clusters.js';
import { Github, Postgres, Rows } from './sections/reports.js';
import { TestsImport } from './sections/tests-import.js';
import { WheelList } from './sections/wheel-list.js';

const OWN = fieldOf(FEATURE_SCHEMAS, 'entries');
const FORMS = together('form of an entry', {
  core: {
    'tests.cluster': ClusterTest,
    'tests.import.ray': TestsImport,
    'wheels.import.wheel-list': WheelList,
    'reports.kind.rows': Rows,
    'reports.kind.github': Github,
    'reports.kind.postgres': Postgres,
  },
  ...OWN,
});
type Forms = typeof FORMS;
type FormOf<S extends string> = { [K in keyof Forms]: K extends `${S}.${string}` ? Forms[K] : never }[keyof Forms];

type SectionOf<K> = K extends `${infer S}.${string}` ? S : never;

const ALL = Object.entries<z.ZodObject>(FORMS).map(([place, schema]) => {
  const [section = '', key = '', value] = place.split('.');
  return { section: section as SectionOf<keyof Forms>, key, value, schema };
});

/** Sections with other forms of an entry, the key that decides, and the schema of an entry that has it. */
export const SHAPES = ALL.filter((one, at) => at === ALL.findIndex((other) => isAlike(one, other))).map((one) => {
  const { section, key, schema } = one;
  const forms = ALL.filter((other) => isAlike(one, other));
  if (forms.length === 1) return { section, key, schema };
  const values = forms.map(({ value }) => value).join(', ');
  const error = `a ${section.replace(/s$/, '')} is of ${key} ${values.replace(/, ([^,]*)$/, ' or $1')}`;
  return { section, key, schema: z.discriminatedUnion(key, forms.map((form) => form.schema) as never, { error }) };
});
function isAlike(one: (typeof ALL)[number], other: (typeof ALL)[number]): boolean {
  return one.section === other.section && one.key === other.key;
}

/** Forms of entries that import, and the feature that has each, or the core. `word` is the one behind `import:`. */
export const IMPORT_FORMS = ALL.filter(({ key }) => key === 'import').map(({ section, value: word = '', schema }) => {
  const owner = Object.entries<object>(OWN).find(([, forms]) => Object.hasOwn(forms, `${section}.import.${word}`));
  return { section, word, owner: owner?.[0] ?? 'core', remembers: 'retryFailed' in schema.shape };
});
/** Whether entries with this word behind `import:` make builds whose failures later runs know. */
export const remembersFailures = (word: string): boolean =>
  IMPORT_FORMS.some((one) => one.word === word && one.remembers);

/** An entry that imports. */
export type EntryImport = {
  [K in keyof Forms]: K extends `${string}.import.${string}` ? z.infer<Forms[K]> : never;
}[keyof Forms];

/** Returns the schema of an entry of a section in any of its forms.
 * @param own the form without a key that decides */
export function formsOf<S extends string, T extends z.ZodType = never>(section: S, ...own: readonly T[]) {
  const forms = [...own, ...ALL.filter((one) => one.section === section).map(({ schema }) => schema)];
  return (forms.length === 1 ? forms[0] : z.union(forms)) as z.ZodUnion<readonly (T | FormOf<S>)[]>;
}
