import type { SourceLocation } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import { insideSource } from '../inside-source.js';
import type { Work } from '../work.js';
import { findings } from './findings.js';
import { linesOf } from './lines.js';
import { parseLine, type Requirement } from './requirement.js';

/** A requirement and its place. */
export interface Listed extends Requirement {
  readonly place: SourceLocation;
}

/** All that one list of a branch says, with the lists that it names. */
export interface List {
  readonly wanted: readonly Listed[];
  /** Requirements of `-c` lists: they narrow what is wanted, and want nothing. */
  readonly constraints: readonly Listed[];
  readonly findings: readonly Finding[];
}

/** Texts of the commit by path. Null: it has no such file. Undefined: not asked yet. */
export type Texts = (path: string) => string | null | undefined;

const MOST_FILES = 100;
/** Requirements of one list with those that it names. */
const MOST_REQUIREMENTS = 20_000;

interface Reading {
  readonly texts: Texts;
  readonly work: Work;
  /** Name of a file in messages: `stable/2026.1:upper-constraints.txt`. */
  readonly shown: (path: string) => string;
  readonly wanted: Listed[];
  readonly constraints: Listed[];
  readonly findings: Finding[];
  readonly asks: string[];
  readonly seen: Set<string>;
  isFull: boolean;
}

/** Reads a list and those that it names. Returns paths to ask for if the commit's texts are not all known.
 * A list that the commit lacks has no requirements: the caller reports an absent first list. */
export function readList(
  path: string,
  texts: Texts,
  shown: (path: string) => string,
  work: Work = () => true,
): List | { readonly asks: readonly string[] } {
  const reading: Reading = {
    texts,
    work,
    shown,
    wanted: [],
    constraints: [],
    findings: [],
    asks: [],
    seen: new Set(),
    isFull: false,
  };
  readInto(reading, path, false, null);
  const { asks, wanted, constraints, findings: found } = reading;
  return asks.length > 0 ? { asks } : { wanted, constraints, findings: found };
}

function readInto(reading: Reading, path: string, isConstraint: boolean, from: SourceLocation | null): void {
  const key = `${isConstraint ? '-c' : '-r'} ${path}`;
  if (reading.seen.has(key) || reading.seen.size >= MOST_FILES) return;
  reading.seen.add(key);
  const text = reading.texts(path);
  if (text === undefined) reading.asks.push(path);
  else if (text !== null) {
    if (!reading.work(text.length, { file: reading.shown(path), line: 1 })) return;
    for (const { text: line, line: at } of linesOf(text)) readLine(reading, line, { path, at, isConstraint });
  } else if (from !== null) reading.findings.push(findings.listAbsent(from, path));
}

interface At {
  readonly path: string;
  readonly at: number;
  readonly isConstraint: boolean;
}

function readLine(reading: Reading, text: string, { path, at, isConstraint }: At): void {
  const place: SourceLocation = { file: reading.shown(path), line: at };
  const parsed = parseLine(text);
  switch (parsed.is) {
    case 'requirement':
      if (reading.wanted.length + reading.constraints.length >= MOST_REQUIREMENTS) return tellFull(reading, place);
      (isConstraint ? reading.constraints : reading.wanted).push({ ...parsed.requirement, place });
      return;
    case 'left out':
      reading.findings.push(findings.lineLeftOut(place, text, parsed.because));
      return;
    case 'fault':
      reading.findings.push(findings.lineFault(place, text, parsed.why));
      return;
    case 'list': {
      const inside = beside(path, parsed.path);
      if (inside === null) reading.findings.push(findings.lineLeftOut(place, text, 'it is outside the repository'));
      else readInto(reading, inside, isConstraint || parsed.isConstraint, place);
      return;
    }
    default:
      parsed satisfies never;
  }
}

function tellFull(reading: Reading, place: SourceLocation): void {
  if (!reading.isFull) reading.findings.push(findings.listTooLong(place, MOST_REQUIREMENTS));
  reading.isFull = true;
}

/** A path beside a file of the commit. Null: it leaves the repository. */
const beside = (file: string, path: string): string | null =>
  path === '' || path.startsWith('/') ? null : insideSource(`${file}/../${path}`);
