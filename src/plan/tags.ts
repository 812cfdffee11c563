import type { Axes } from '../model/ids.js';
import { compileExpression, type Expression } from '../model/schema/expression.js';
import type { TagRules } from '../model/schema/tags.js';

/** Facts for tags besides the image. */
export interface TagFacts {
  readonly version: string;
  /** 40 hex digits. Null if the source is an sdist. */
  readonly commit: string | null;
  readonly branch: string | null;
  readonly schedule?: string;
  readonly pull?: string;
  readonly build?: string;
  /** UTC day of the commit, not of a clock: every image of a release has the same. */
  readonly yymmdd?: string;
}

export interface TaggedImage {
  readonly name: string;
  readonly axes: Axes;
}

export interface Tagging {
  readonly tag: string;
  readonly rules: readonly string[];
  /** True if it moves with each newer commit. Other tags are written once. */
  readonly moves: boolean;
}

type Version = TagRules['versions'][number];
type Row = TagRules['parts'][number]['rows'][number];

/** Cached expressions: a matrix uses each a hundred times. */
const compiled = new Map<string, Expression>();

function whole(pattern: string, text: string): ReturnType<Expression['match']> {
  const known = compiled.get(pattern) ?? compileExpression(pattern, { whole: true });
  compiled.set(pattern, known);
  return known.match(text);
}

/** Returns every tag of one image. Pure. A prefix with a placeholder without value (`{build}` outside CI) makes no tag.
 * @param channel row of `versions` by name; null: the first whose `when` holds */
export function tagsFor(
  image: TaggedImage,
  facts: TagFacts,
  rules: TagRules,
  channel: string | null = null,
): readonly Tagging[] {
  const version = rules.versions.find((row) => (channel === null ? holds(row, facts) : row.channel === channel));
  if (!version) return [];
  const begin = (texts: readonly string[], moves: boolean): readonly Tagging[] =>
    texts.flatMap((text) => filled(text, facts) ?? []).map((tag) => ({ tag, rules: [version.rule], moves }));
  let made = [...begin(version.tags, false), ...begin(version.moves, true)];
  for (const { axis, rows } of rules.parts) {
    const value = axis === 'image' ? image.name : (image.axes[axis] ?? '');
    const endings = rows.flatMap((row) => endingsOf(row, value, image.name));
    made = made.flatMap((one) =>
      endings.map(({ ending, rule }) => ({ ...one, tag: one.tag + ending, rules: [...one.rules, rule] })),
    );
  }
  return [...new Map(made.map((one) => [one.tag, one])).values()];
}

/** Axes of an image with a value that no row has. Such an image would have no tag. */
export const untagged = (image: TaggedImage, rules: TagRules): readonly string[] =>
  rules.parts
    .filter(({ axis, rows }) => {
      const value = axis === 'image' ? image.name : (image.axes[axis] ?? '');
      return rows.every((row) => endingsOf(row, value, image.name).length === 0);
    })
    .map(({ axis }) => axis);

const holds = ({ when }: Version, facts: TagFacts): boolean =>
  (['branch', 'schedule', 'pull'] as const).every((key) => {
    const pattern = when[key];
    return pattern === undefined || (typeof facts[key] === 'string' && whole(pattern, facts[key]) !== null);
  });

function filled(text: string, facts: TagFacts): string | null {
  const words: Readonly<Record<string, string | null | undefined>> = {
    ...facts,
    sha6: facts.commit?.slice(0, 6),
  };
  let known = true;
  const tag = text.replace(/\{([a-z0-9]+)\}/g, (_, word: string) => {
    known &&= typeof words[word] === 'string';
    return words[word] ?? '';
  });
  return known ? tag : null;
}

interface Ending {
  readonly ending: string;
  readonly rule: string;
}

function endingsOf(row: Row, value: string, image: string): readonly Ending[] {
  const match = whole(row.is, value);
  if (!match || (row.image !== undefined && !whole(row.image, image))) return [];
  return row.add.map((ending) => ({
    ending: ending.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? ''),
    rule: row.rule,
  }));
}
