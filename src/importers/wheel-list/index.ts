import type { Problem } from '../../model/failure.js';
import { normalName, parseWheelName } from '../../model/python/file-name.js';
import { wheelSubject } from '../../model/python/wheel-subject.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { Row } from '../../model/rows.js';
import { Wheel } from '../../model/schema/sections/builds.js';
import { NamedSource } from '../../model/schema/sections/sources.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { Ask } from '../asks.js';
import type { Imported, Importer, Setting } from '../importer.js';
import { toleratedAs } from '../tried.js';
import { packagesByPlatform } from './bindep.js';
import { openWork, type Work } from '../work.js';
import { targetsOf, type RowTarget } from './branches.js';
import { entriesOf, mergedEntry } from './entries.js';
import { entryName, stepOf } from './entry-name.js';
import type { List } from './list.js';
import { noticesOf } from './notices.js';
import { openFormer, openOurs, rebuildsIn } from './ours.js';
import { openPages } from './pages.js';
import { type Catalogue, readLists } from './read.js';
import { rowsOf, type WheelRow } from './rows.js';
import { openTargets, type Targets } from './targets.js';
import { type Twice, type Want, groupsOf, wantsOf } from './wanted.js';

/** Lists of requirements of several branches, as entries of `sources` and `wheels`: what they want and the index lacks. */
export const wheelList: Importer<WheelList, Catalogue, Ask> = {
  makes: { wheels: Wheel, sources: NamedSource },
  stored: null,
  read: (entry, facts, at, _held, distributions) => readLists(entry, facts, at, distributions),
  make,
  merge: mergedEntry,
};

function make(kept: Catalogue, entry: WheelList, setting: Setting): Imported {
  const found: Problem[] = [...kept.findings];
  const targets = openTargets(setting, (problem) => found.push(problem));
  const twice: Twice[] = [];
  const work = openWork(MOST_WANTS, 'wants: lines times targets', (problem) => found.push(problem));
  const wants = allWants(kept, entry, { targets, work }, (one) => twice.push(one));
  if (found.length > 0) return { entries: [], findings: found };
  const pages = openPages(kept.index);
  const packages = packagesByPlatform(kept.packages, kept.today);
  const rows = rowsOf(wants, pages, {
    never: new Set(entry.never.map(normalName)),
    only: entry.only === undefined ? null : new Set(entry.only.map(normalName)),
    known: entry.known.filter(({ until }) => until >= kept.today),
    ours: openOurs(kept.ours, setting.indexes),
    former: openFormer(kept.ours, setting.indexes),
    tries: setting.tries,
    rebuilds: rebuildsIn(kept.ours),
    purity: entry.pure === 'skip' ? { builds: kept.pure, recipes: entry.with, packages } : null,
    epochs: setting.epochs,
  });
  return {
    entries: entriesOf(withFirsts(rows), entry),
    tolerated: toleratedIn(rows),
    findings: [],
    notices: noticesOf(kept, entry, setting.key, { rows, twice, pages }),
    rows: rows.map(rowText),
    packages,
  };
}

/** A wheel cache of ten branches and eight targets has 50,000. */
const MOST_WANTS = 500_000;

function allWants(
  kept: Catalogue,
  entry: WheelList,
  { targets, work }: { readonly targets: Targets; readonly work: Work },
  tell: (twice: Twice) => void,
): readonly Want[] {
  const of = (
    lines: Pick<List, 'wanted' | 'constraints'>,
    all: readonly RowTarget[],
    name: string,
  ): readonly Want[] => {
    const place = lines.wanted[0]?.place ?? { file: name };
    if (!work(all.length * (lines.wanted.length + lines.constraints.length), place)) return [];
    const groups = groupsOf(lines);
    return all.flatMap(({ platform, python, until }) => {
      const target = targets(platform, python);
      if (target === null) return [];
      const ended = [target.until, until].find((day) => day !== null && day < kept.today);
      const what = ended === target.until ? platform : name;
      return wantsOf(groups, target, ended === undefined ? null : `${what} ended on ${ended}`, tell);
    });
  };
  return [
    ...kept.lists.flatMap((list) => of(list, list.targets, list.branch)),
    ...of({ wanted: kept.wants, constraints: [] }, targetsOf(entry.for ?? {}, null), 'wants'),
  ];
}

/** Failures of builds that `known` lists change no verdict of a run. */
const toleratedIn = (rows: readonly WheelRow[]): Imported['tolerated'] =>
  Object.fromEntries(
    rows.flatMap((row) =>
      row.verdict === 'build' && row.known !== undefined ? [[stepOf(row), toleratedAs(row.known)]] : [],
    ),
  );

/** Verdicts about builds that the plan has, or could have. */
const BUILDS: readonly WheelRow['verdict'][] = ['build', 'failed before', 'here'];

/** A row as screens and the store have it. */
function rowText({ project, version, target, verdict, because, asked }: WheelRow): Row {
  const lists = [...new Set(asked.map(({ file }) => file.split(':')[0]))];
  return {
    subject: wheelSubject({ project, version, platform: target.platform, python: target.python }),
    verdict,
    reason: lists.length === 1 ? because : `${because} · ${lists.join(', ')}`,
    origin: asked[0]!,
    ...(BUILDS.includes(verdict) && { entry: `wheels/${entryName({ project, version })}` }),
  };
}

/** Adds the build of a pure wheel that ours has for another target. Its result is known, and the builds behind it take its wheel
 * (`sameAs`) in place of their own. */
function withFirsts(rows: readonly WheelRow[]): readonly WheelRow[] {
  const here = new Map<string, WheelRow[]>();
  for (const row of rows)
    if (row.verdict === 'here' && parseWheelName(row.file!)?.platforms.includes('any'))
      here.set(entryName(row), [...(here.get(entryName(row)) ?? []), row]);
  const firsts = rows.flatMap((row) => {
    if (row.verdict !== 'build' || row.rebuilds?.isListed) return [];
    const first = (here.get(entryName(row)) ?? []).find(
      (one) => stepOf(one) < stepOf(row) && wheelFits(parseWheelName(one.file!)!, row.target.tags),
    );
    const { file, sha256 } = row;
    return first === undefined ? [] : [{ ...first, verdict: 'build' as const, file: file!, sha256: sha256! }];
  });
  return firsts.length === 0 ? rows : [...firsts, ...rows];
}
