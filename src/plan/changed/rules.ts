import type { Problem } from '../../model/failure.js';
import { didYouMean } from '../../model/suggest.js';
import { problems } from './errors.js';
import { isGlob, openRulePaths, type Room, type RulePaths } from './rule-paths.js';

/** Bytes of a rules file. */
export const LARGEST_RULES = 1_048_576;
/** Globs of all rules files of a source. */
const MOST_GLOBS = 2_000;
/** Limit of `Room.work`, in all rules files of a source: some seconds. */
const MOST_WORK = 1_000_000_000;
const LONGEST_GLOB = 500;
/** After so many problems of a file, later ones teach nothing new. */
const MOST_PROBLEMS = 20;

/** A file of rules as rayci of Ray reads it. */
export interface Rules {
  /** Lines that give a tag, by tag. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** Tags of the changed paths: those of the first rule that matches each. */
  readonly given: ReadonlySet<string>;
}

interface Reading {
  readonly declared: Set<string>;
  readonly lines: Map<string, number[]>;
  /** Tags of each rule; the last rule is open. */
  readonly tags: string[][];
  readonly paths: RulePaths;
  hasBegun: boolean;
}

/** Reads rules files by their paths. Skips absent files.
 * @param changed paths */
export function readRules(
  texts: Readonly<Record<string, string | null>>,
  changed: readonly string[],
  complain: (found: Problem) => void,
): ReadonlyMap<string, Rules> {
  const room = { globs: MOST_GLOBS, work: MOST_WORK };
  const files = Object.entries(texts).flatMap(([file, text]) => {
    if (text === null) return [];
    const { lines, tags, paths } = readLines(text, file, room, complain);
    const first = paths.firstOf(changed);
    if (first === null) complain(problems.tooCostly({ place: { file } }, changed.length));
    return [[file, { lines, given: new Set([...(first ?? [])].flatMap((rule) => tags[rule] ?? [])) }] as const];
  });
  return new Map(files);
}

function readLines(text: string, file: string, room: Room, complain: (found: Problem) => void): Reading {
  const paths = openRulePaths(room);
  const reading: Reading = { declared: new Set(), lines: new Map(), tags: [[]], paths, hasBegun: false };
  let left = MOST_PROBLEMS;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.split('#', 1)[0]!.trim();
    if (line === '') continue;
    const why = take(line, index + 1, reading);
    const spot = { place: { file, line: index + 1, column: 1 } };
    if (room.globs < 0) complain(problems.tooManyGlobs(spot, MOST_GLOBS));
    else if (why !== null) complain(problems.unknownLine(spot, line, why));
    if (room.globs < 0 || (why !== null && (left -= 1) === 0)) break;
    reading.hasBegun ||= !line.startsWith('!');
  }
  return reading;
}

/** Takes a line in. Returns why it is none, or null. rayci would take a directive of its former versions for a file that nobody has. */
function take(line: string, number: number, { declared, lines, tags, paths, hasBegun }: Reading): string | null {
  const words = line.slice(1).split(/\s+/).filter(Boolean);
  switch (line[0]) {
    case '!':
      for (const tag of words) declared.add(tag);
      return hasBegun ? 'tags are declared before the first rule' : null;
    case '@': {
      const unknown = words.find((tag) => !declared.has(tag));
      if (unknown !== undefined) return `no line "! ${unknown}" declares its tag${didYouMean(unknown, declared)}`;
      for (const tag of words) {
        tags.at(-1)!.push(tag);
        if (lines.get(tag)?.push(number) === undefined) lines.set(tag, [number]);
      }
      return null;
    }
    case ';':
      tags.push([]);
      return line === ';' ? null : '; stands alone';
    case '\\':
      return 'there are no directives';
    default:
      if (isGlob(line) && line.length > LONGEST_GLOB) return `a glob has at most ${LONGEST_GLOB} characters`;
      paths.add(line, tags.length - 1);
      return null;
  }
}
