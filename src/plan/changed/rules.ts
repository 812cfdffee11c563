import type { Problem } from '../../model/failure.js';
import type { Spot } from '../errors.js';
import { problems } from './errors.js';
import { isGlob, openRulePaths, type Room, type RulePaths } from './rule-paths.js';

/** Bytes of a rules file. */
export const LARGEST_RULES = 1_048_576;
/** Globs of all rules files of a source. */
const MOST_GLOBS = 2_000;
/** Limit of characters of globs times characters of paths, in all rules files of a source: some seconds. */
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

type Complain = (found: Problem) => void;

/** What reading a file has gathered. */
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
  complain: Complain,
): ReadonlyMap<string, Rules> {
  const room = { globs: MOST_GLOBS, work: MOST_WORK };
  const rulesIn = (file: string, text: string): Rules => {
    const { lines, tags, paths } = readLines(text, file, room, complain);
    const first = paths.firstOf(changed);
    if (first === null) complain(problems.tooCostly({ place: { file } }, changed.length));
    return { lines, given: new Set([...(first ?? [])].flatMap((rule) => tags[rule] ?? [])) };
  };
  return new Map(
    Object.entries(texts).flatMap(([file, text]) => (text === null ? [] : [[file, rulesIn(file, text)] as const])),
  );
}

function readLines(text: string, file: string, room: Room, complain: Complain): Reading {
  const reading: Reading = {
    ...{ declared: new Set(), lines: new Map(), tags: [[]], paths: openRulePaths(room) },
    hasBegun: false,
  };
  let found = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.split('#', 1)[0]!.trim();
    if (line === '') continue;
    const fault = take(line, index + 1, reading);
    if (fault !== null) complain(fault({ place: { file, line: index + 1, column: 1 } }));
    if (fault !== null && ((found += 1) === MOST_PROBLEMS || room.globs < 0)) break;
    reading.hasBegun ||= !line.startsWith('!');
  }
  return reading;
}

type Fault = (spot: Spot) => Problem;

/** Takes a line in, or returns what is wrong with it. rayci would take a directive of its former versions for a file that nobody has. */
function take(line: string, number: number, { declared, lines, tags, paths, hasBegun }: Reading): Fault | null {
  const because = (why: string) => (spot: Spot) => problems.unknownLine(spot, line, why);
  const words = line.slice(1).split(/\s+/).filter(Boolean);
  switch (line[0]) {
    case '!':
      for (const tag of words) declared.add(tag);
      return hasBegun ? because('tags are declared before the first rule') : null;
    case '@': {
      const undeclared = words.find((tag) => !declared.has(tag));
      if (undeclared !== undefined) return (spot) => problems.undeclared(spot, undeclared, declared);
      for (const tag of words) {
        tags.at(-1)!.push(tag);
        if (lines.get(tag)?.push(number) === undefined) lines.set(tag, [number]);
      }
      return null;
    }
    case ';':
      tags.push([]);
      return line === ';' ? null : because('; stands alone');
    case '\\':
      return because('there are no directives');
    default:
      if (isGlob(line) && line.length > LONGEST_GLOB) return because(`a glob has at most ${LONGEST_GLOB} characters`);
      return paths.add(line, tags.length - 1) ? null : (spot) => problems.tooManyGlobs(spot, MOST_GLOBS);
  }
}
