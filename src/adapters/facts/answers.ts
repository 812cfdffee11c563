import { type AnyAsk, bindepKey, fileKey, type ImportFacts, noFacts } from '../../importers/index.js';

/** Answers so far, which grow. */
export type Answers = { -readonly [K in keyof ImportFacts]: Record<string, ImportFacts[K][string]> } & {
  [Own in string]: Record<string, unknown>;
};
export const noAnswers = noFacts as (own?: object) => Answers;

/** Adds answers to questions. */
export type Answer = (asks: readonly AnyAsk[], into: Answers) => Promise<void>;

/** Keys of a question's answers. */
function keysOf(ask: AnyAsk): readonly string[] {
  if ('keys' in ask) return ask.keys;
  switch (ask.ask) {
    case 'branches':
      return [ask.git];
    case 'file':
      return [fileKey(ask)];
    case 'bindep':
      return [bindepKey(ask)];
    case 'index':
      return ask.projects.map(({ name }) => name);
    case 'today':
      return ['UTC'];
    case 'ours':
      return [ask.platform];
    case 'pure':
      return ask.sdists;
    case 'changed':
      return [ask.since ?? ''];
    default:
      return [ask.path];
  }
}

/** Answers from a record of former answers. @param absent called with a question that it lacks */
export function answersFrom(record: Partial<ImportFacts>, absent: (key: string) => never): Answer {
  return async (asks, into) => {
    for (const ask of asks) {
      const known = (record as Partial<Answers>)[ask.ask] ?? {};
      for (const key of keysOf(ask)) into[ask.ask]![key] = Object.hasOwn(known, key) ? known[key] : absent(key);
    }
  };
}
