import type { AnyAsk, At, Distributions, Importer, Importers, Setting } from '../../importers/index.js';
import type { Past } from '../../activities/plan/ports.js';
import { type Digest, digestOf } from '../../model/digest.js';
import { onlyOf } from '../../model/only.js';
import { fail, type Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { ImportedEntry } from '../../model/imported-entry.js';
import type { Given, PlanImport, PlanImports } from '../../model/plan.js';
import { IMPORT_FORMS } from '../../model/schema/entry-forms.js';
import { countsOf, LEFT_OUT, type Row, type Rows } from '../../model/rows.js';
import type { Facts, GitFacts } from '../../plan/facts.js';
import { basePackageProblems, distributionsFor, type PackagesOf, withBasePackages } from '../../plan/base-packages.js';
import { framed, type Import, importsOf, withImports } from '../../plan/imports.js';
import { platformsForImports } from '../../plan/platforms.js';
import { inOrder } from '../../plan/in-order.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { type Answer, type Answers, answersFrom, noAnswers } from './answers.js';
import { type AnswerOf, withAnswers } from './answering.js';
import { problems as mistakes } from './errors.js';
import { mergedImports } from './merge-imports.js';
import { indexTargets, openOurs } from './ours.js';
import { readRayConfig } from './ray-config.js';
import { openReadImports, type ReadImports } from './read-imports.js';
import { sha256 } from '../sha256.js';

/** An importer with more rounds is taken for endless. */
export const MOST_ROUNDS = 10;

/** All that planning read of the source: with it a plan is made without the source. */
export interface SourceFacts extends Pick<Facts, 'wheels' | 'sources'> {
  /** States of tests, if an import chooses by them. */
  readonly states?: Setting['states'];
  /** Failures of earlier runs, by step. Absent: none. */
  readonly tries?: NonNullable<Setting['tries']>;
  /** Null: the source is no repository, and no import reads it. */
  readonly git: GitFacts | null;
  /** By the id of the entry that imports. */
  readonly imports: Readonly<Record<string, Answers>>;
  /** Answers from which the settings are read. Absent: the file has none. */
  readonly settings?: Answers;
  /** Changed paths by name of the source; an empty name is the file's own. Absent: no entry asks. */
  readonly changed?: Readonly<Record<string, Answers>>;
}

export interface Source extends Pick<Facts, 'wheels' | 'sources' | 'profile'> {
  readonly git: GitFacts | null;
  readonly folder: string;
  readonly given: Given;
  readonly platforms: Facts['platforms'];
  readonly importers: Importers;
  readonly states: Setting['states'];
  readonly tries: Setting['tries'];
  /** Answers from which the settings were read. Null: the file has none. */
  readonly settings: Answers | null;
  readonly changed: SourceFacts['changed'] | null;
  readonly listed: Past['listed'];
  readonly pure: Past['pure'];
  readonly answers: Past['answers'];
  /** Facts of a former plan, in place of the repository. */
  readonly before: SourceFacts | null;
}

export interface WithImports {
  readonly file: ReadFile;
  /** Null: the file imports nothing and has no settings. */
  readonly source: SourceFacts | null;
  /** Rows that imports judged. Null: none. */
  readonly rows: Rows | null;
  /** Imported entries by the id of their importing entry. */
  readonly imported: Readonly<Record<string, readonly ImportedEntry[]>>;
  /** Why failures of steps are tolerated, by step. */
  readonly tolerated: Readonly<Record<StepId, string>>;
}

/** Returns the release file with its imports. Throws every problem of all imports at once. */
export async function imported(file: ReadFile, source: Source): Promise<WithImports> {
  const asked = importsOf(file);
  const wrong = basePackageProblems(file);
  if (wrong.length > 0) throw fail(inOrder(wrong));
  if (asked.length === 0 && source.settings === null && source.changed === null)
    return { file, source: null, rows: null, imported: {}, tolerated: {} };
  const { git, sources, wheels = {}, states, tries, before, importers, settings, changed } = source;
  const lost = IMPORT_FORMS.find(({ word }) => asked.some(({ say }) => say.import === word) && !(word in importers));
  if (lost) throw fail(mistakes.formWithoutImporter(lost));
  const made =
    before || asked.length === 0
      ? await allOf(asked, file, source, ({ id }) => answersFrom(before?.imports[id] ?? noAnswers(), missing))
      : await withAnswers(file, { ...source, ours: openOurs({ ...file, ...source }) }, (answer) =>
          allOf(asked, file, source, answer),
        );
  const answers = Object.fromEntries(made.map((one) => [one.id, one.answers]));
  const facts: SourceFacts = {
    ...{ git, ...(sources && { sources }), wheels, imports: answers },
    ...(states !== null && { states }),
    ...(tries !== null && Object.keys(tries).length > 0 && { tries }),
    ...(settings !== null && { settings }),
    ...(changed && { changed }),
  };
  const rows = rowsOf(made);
  const entries = Object.fromEntries(made.map(({ id, entries: all }) => [id, all]));
  const told: PlanImports = {
    facts: digestOf(facts, sha256),
    ...(rows !== null && { rows: digestOf(rows, sha256) }),
    of: made.map((one) => one.told),
  };
  return {
    file: {
      ...withImports(withBasePackages(file, packagesIn(made)), entries, told, importers),
      assumable: assumableIn(rows),
      judged: judgedIn(rows),
    },
    source: facts,
    rows,
    imported: entries,
    tolerated: Object.assign({}, ...made.map(({ tolerated }) => tolerated)) as Readonly<Record<StepId, string>>,
  };
}

export const missing = (path: string): never => {
  throw fail(mistakes.factsLack(path));
};

/** Packages for bases by the name of their import. */
const packagesIn = (made: readonly Made[]): Readonly<Record<string, PackagesOf>> =>
  Object.fromEntries(
    made.flatMap(({ id, section, packages }) => (section === 'wheels' ? [[id.slice('wheels/'.length), packages]] : [])),
  );

/** Entries that imports judged. */
const judgedIn = (rows: Rows | null): readonly string[] => [
  ...new Set(Object.values(rows?.rows ?? {}).flatMap((all) => all.flatMap(({ entry }) => entry ?? []))),
];

/** Left-out rows by their entries, for entries that need them. */
const assumableIn = (rows: Rows | null): NonNullable<ReadFile['assumable']> =>
  Object.fromEntries(
    Object.values(rows?.rows ?? {})
      .flat()
      .flatMap(({ verdict, entry, reason }) => (verdict === LEFT_OUT && entry !== undefined ? [[entry, reason]] : [])),
  );

function rowsOf(made: readonly Made[]): Rows | null {
  const judged = made.filter(({ rows }) => rows.length > 0);
  return judged.length === 0
    ? null
    : { slipway: 1, rows: Object.fromEntries(judged.map(({ id, rows }) => [id, rows])) };
}

interface Made {
  readonly section: Import['section'];
  readonly merge: Importer<unknown, object, AnyAsk>['merge'];
  readonly id: string;
  readonly rows: readonly Row[];
  readonly packages: PackagesOf;
  readonly answers: Answers;
  readonly entries: readonly ImportedEntry[];
  readonly tolerated: Readonly<Record<StepId, string>>;
  readonly told: PlanImport;
}

async function allOf(
  asked: readonly Import[],
  file: ReadFile,
  { given, states, tries, platforms: table, before: former, importers }: Source,
  answer: AnswerOf,
): Promise<readonly Made[]> {
  if (asked.length === 0) return [];
  const found: Problem[] = [];
  const config = await readRayConfig();
  const before = openReadImports();
  const platforms = platformsForImports(file.content, table);
  const made: Made[] = [];
  for (const one of asked) {
    const importer = importers[one.say.import]!;
    const at: At = (path) => file.at([one.section, one.name, ...path]).place;
    const setting: Setting = {
      ...{ at, key: `${one.section}.${one.name}`, hash: sha256, config, platforms },
      ...{ chosen: { ...given.tests, only: onlyOf(given) }, states: former?.states ?? states, tries },
      ...{ indexes: indexTargets(file.content), settings: file.settings ?? null },
      epochs: file.content.epochs ?? {},
    };
    const distributions = distributionsFor(file.content, one.name);
    const { kept, answers } = await readOnce({ one, importer, at, distributions, answer: answer(one) }, before);
    const { notices = [], rows = [], tolerated = {}, packages = {}, ...said } = importer.make(kept, one.say, setting);
    found.push(...said.findings);
    const told = { id: one.id, from: one.say.import, entries: said.entries.length, counts: countsOf(rows), notices };
    const { section, id } = one;
    const entries = framed(file, one, said.entries);
    made.push({ section, id, rows, packages, answers, entries, tolerated, merge: importer.merge, told });
  }
  if (found.length > 0) throw fail(inOrder(found));
  return mergedImports(made);
}

interface Reading {
  readonly one: Import;
  readonly importer: Importer<unknown, object, AnyAsk>;
  readonly at: At;
  readonly distributions: Distributions;
  readonly answer: Answer;
}

/** Asks and reads, round by round. The first answers tell whether the rest is known. */
async function readOnce(
  { one, importer, at, distributions, answer }: Reading,
  before: ReadImports,
): Promise<{ readonly kept: object; readonly answers: Answers }> {
  const answers = noAnswers(importer.asks);
  const { stored } = importer;
  const about = stored && { import: one.say.import, epoch: stored.epoch, reading: stored.reading(one.say) };
  const keyOf = (): Digest => digestOf({ about, answers }, sha256);
  const all: AnyAsk[] = [];
  let first: Digest | null = null;
  let held: unknown;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const said = importer.read(one.say, answers, at, held, distributions);
    if ('kept' in said) {
      if (stored !== null && first !== null && stored.faults(said.kept).length === 0)
        await before.keep({ key: first, asks: all }, { key: keyOf(), kept: said.kept });
      return { kept: said.kept, answers };
    }
    ({ held } = said);
    all.push(...said.asks);
    const strange = said.asks.find((ask) => 'keys' in ask && !Object.hasOwn(importer.asks ?? {}, ask.ask));
    if (strange) throw fail(mistakes.askUnlisted(one.say.import, strange.ask));
    await answer(said.asks, answers);
    if (stored === null || first !== null) continue;
    first = keyOf();
    const known = await before.asks(first);
    if (known === null) continue;
    await answer(known, answers);
    const kept = await before.kept(keyOf());
    if (kept !== null) return { kept, answers };
  }
  throw fail(mistakes.importEndless(one.say.import, MOST_ROUNDS));
}
