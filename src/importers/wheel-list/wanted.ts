import { grouped } from '../../model/grouped.js';
import { isAdmitted, parseSpecifiers, type Specifier } from '../../model/python/specifier.js';
import { parseVersion, sameVersion } from '../../model/python/version.js';
import type { SourceLocation } from '../../model/failure.js';
import type { Pin } from './files.js';
import type { List, Listed } from './list.js';
import { isTrue } from './marker.js';
import type { Target } from './target.js';

/** A version, or a range of versions, that lines of one list allow together. */
export interface Wanted {
  /** As PEP 503 normalises it. */
  readonly project: string;
  /** Null: the newest version that the clauses allow. */
  readonly pin: Pin | null;
  /** More than one: the lines contradict each other. */
  readonly pins: readonly Pin[];
  readonly clauses: readonly Specifier[];
  /** Whether other clauses exclude the pin. */
  readonly isExcluded: boolean;
  /** As written: `==5.3.0`, `>=5,<7`. */
  readonly specifiers: string;
  /** Digests of the lines and of those of `-c` lists that have some. The sdist must have one of each. */
  readonly sha256: readonly (readonly string[])[];
  /** The line that counts for people, and all lines. */
  readonly asked: SourceLocation;
  readonly places: readonly SourceLocation[];
}

/** Version of a project that one list wants on one target. */
export interface Want {
  readonly wanted: Wanted;
  readonly target: Target;
  /** Why no wheel is wanted here. Null: it is. */
  readonly leftOut: string | null;
}

/** A project that one list pins to several versions on one target. */
export interface Twice {
  readonly wanted: Wanted;
  readonly target: Target;
}

/** Lines of one list about one project. */
interface Group {
  readonly lines: readonly Listed[];
  readonly constraints: readonly Listed[];
  /** The same on all targets, because no line has a marker. Null: it depends on the target. */
  readonly same: Wanted | null;
}

/** Returns the lines of a list by project. */
export function groupsOf({ wanted, constraints }: Pick<List, 'wanted' | 'constraints'>): readonly Group[] {
  const held = grouped(constraints, ({ project }) => project);
  return [...grouped(wanted, ({ project }) => project)].map(([project, lines]) => {
    const own = held.get(project) ?? [];
    const isSame = [...lines, ...own].every(({ marker }) => marker === null);
    return { lines, constraints: own, same: isSame ? together(lines, own) : null };
  });
}

/** Returns what a list wants on a target. @param cutOff why nothing of the list is wanted on the target any more; null: it is */
export function wantsOf(
  groups: readonly Group[],
  target: Target,
  cutOff: string | null,
  tell: (twice: Twice) => void,
): readonly Want[] {
  return groups.flatMap(({ lines, constraints, same }) => {
    const isHere = (line: Listed): boolean => isFor(line, target);
    const mine = same === null ? lines.filter(isHere) : lines;
    const others = same === null ? lines.filter((line) => !isHere(line)) : [];
    const wants = others.map((line) => ({
      ...{ wanted: together([line], []), target, leftOut: cutOff ?? 'its marker is false here' },
    }));
    if (mine.length === 0) return wants;
    const wanted = same ?? together(mine, constraints.filter(isHere));
    if (wanted.pins.length < 2) return [...wants, { wanted, target, leftOut: cutOff }];
    if (cutOff === null) tell({ wanted, target });
    return wants;
  });
}

const isFor = ({ marker }: Listed, { environment }: Target): boolean => marker === null || isTrue(marker, environment);

function together(mine: readonly Listed[], constraints: readonly Listed[]): Wanted {
  const lines = [...mine, ...constraints];
  const clauses = [...new Set(lines.flatMap(({ specifiers }) => specifiers.split(',')))].filter(Boolean);
  const pins = distinct(clauses.flatMap(pinIn));
  const pin = pins[0] ?? null;
  const parsed = parseSpecifiers(clauses.join(',')) ?? [];
  return {
    project: mine[0]!.project,
    pin,
    pins,
    clauses: parsed,
    isExcluded: pin !== null && excludes(parsed, pin),
    specifiers: clauses.join(','),
    sha256: [mine, constraints].map(digestsOf).filter((all) => all.length > 0),
    asked: mine[0]!.place,
    places: lines.map(({ place }) => place),
  };
}

const digestsOf = (lines: readonly Listed[]): readonly string[] => lines.flatMap(({ sha256 }) => sha256);

/** Whether clauses besides pins by text exclude a pin. A text that is no version is in no range. */
function excludes(clauses: readonly Specifier[], pin: Pin): boolean {
  const others = clauses.filter(({ op }) => op !== '===');
  const version = parseVersion(pin.text);
  return version === null ? others.length > 0 : !isAdmitted(version, others);
}

function pinIn(clause: string): readonly Pin[] {
  const [, op, text] = /^(={2,3})(.+)$/.exec(clause) ?? [];
  if (op === undefined || (op === '==' && text!.endsWith('.*'))) return [];
  return [{ text: text!, isText: op === '===', clause: parseSpecifiers(clause)?.[0] ?? null }];
}

/** `1.0` and `1` are one version. */
const distinct = (pins: readonly Pin[]): readonly Pin[] =>
  pins.filter(({ text }, at) => !pins.slice(0, at).some((before) => sameVersion(before.text, text)));
