import type { Problem } from '../../../../model/failure.js';
import { type DepsImport, Lock } from '../../schemas/lock.js';
import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { Importer, Imported } from '../../../../importers/importer.js';
import type { Depset } from './depset.js';
import { asksOf, entryOf, filesOf, leftOut, subsetFaults } from './entries.js';
import { problems } from './errors.js';
import { openWork } from '../../../../importers/work.js';
import { graphOf, requirementsOf, withAncestors, type Depsets } from './graph.js';
import { depsetsIn } from './read.js';

/** Keys of the entry that decide what is made. */
export type DepsetsImport = Pick<DepsImport, 'file' | 'only' | 'drift'>;

const ENDING = '.depsets.yaml';
/** Limit of all files beside each other, with their depsets once for each set of variables. */
const MOST_CHARACTERS = 4_000_000;

/** Depsets of a file, and all that they stand on in the files beside it, as entries of `deps:`. */
export const raydepsets: Importer<DepsetsImport, Imported> = {
  makes: { deps: Lock },
  stored: {
    epoch: 1,
    reading: ({ file, only, drift }) => ({ file, only, drift }),
    faults: ({ findings }) => findings,
  },
  read(entry, facts) {
    const said = importDepsets(entry, facts);
    return 'asks' in said ? said : { kept: said };
  },
  make: (kept) => kept,
};

type Answered = Imported | { readonly asks: readonly CommitAsk[] };

export const importDepsets = (entry: DepsetsImport, facts: ImportFacts): Answered => {
  const folder = entry.file.includes('/') ? entry.file.slice(0, entry.file.lastIndexOf('/')) : '.';
  const names = facts.folder[folder];
  if (names === undefined) return { asks: [{ ask: 'folder', path: folder }] };
  const files = (names ?? []).filter((name) => name.endsWith(ENDING)).map((name) => inFolder(folder, name));
  const own = files.filter((file) => fits(entry.file, file));
  if (own.length === 0) return { entries: [], findings: [problems.absent({ file: entry.file }, entry.file, files)] };
  const asks: readonly CommitAsk[] = files
    .filter((path) => facts.text[path] === undefined)
    .map((path) => ({ ask: 'text', path }));
  return asks.length > 0 ? { asks } : fromFiles(entry, files, own, facts);
};

const inFolder = (folder: string, name: string): string => (folder === '.' ? name : `${folder}/${name}`);

/** Whether a text is what a pattern says; `*` stands for anything. The time taken grows with the lengths alone. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

function fromFiles(
  entry: DepsetsImport,
  files: readonly string[],
  own: readonly string[],
  facts: ImportFacts,
): Answered {
  const findings: Problem[] = [];
  const complain = (problem: Problem): unknown => findings.push(problem);
  const work = openWork(MOST_CHARACTERS, 'characters of depsets', complain);
  const depsets = graphOf(
    files.flatMap((file) => depsetsIn(facts.text[file] ?? '', file, complain, work)),
    complain,
  );
  if (findings.length > 0) return { entries: [], findings };
  const mine = [...depsets.values()].filter(({ config }) => own.includes(config));
  const chosen = mine.filter(({ name }) => entry.only?.some((pattern) => fits(pattern, name)) ?? true);
  const namesOf = (some: typeof mine): readonly string[] => some.map(({ name }) => name);
  if (chosen.length === 0) {
    const problem = problems.nothingChosen({ file: entry.file }, entry.only ?? ['*'], namesOf(mine));
    return { entries: [], findings: [problem] };
  }
  const all = withAncestors(namesOf(chosen), depsets);
  if (!all.every((one) => work(requirementsOf(one, depsets).length, one.at()))) return { entries: [], findings };
  return fromDepsets(all, depsets, entry, facts);
}

function fromDepsets(all: readonly Depset[], depsets: Depsets, entry: DepsetsImport, facts: ImportFacts): Answered {
  const reasons = leftOut(depsets);
  const made = new Set(all.map(({ name }) => name).filter((name) => !reasons.has(name)));
  const reads = all
    .filter(({ name }) => made.has(name))
    .flatMap((one) => filesOf(one, depsets, made).map(([file, key]) => ({ one, file, key })));
  const asks = asksOf(
    reads.map(({ file }) => file),
    facts,
  );
  if (asks.length > 0) return { asks };
  const absent = reads.filter(({ file }) => facts.present[file] === false);
  return {
    entries: all.map((one) => entryOf(one, { depsets, made, reasons, drift: entry.drift ?? null })),
    findings: [
      ...all.flatMap((one) => subsetFaults(one, depsets)),
      ...absent.map(({ one, file, key }) => problems.fileAbsent(one.at(key), one.name, file)),
    ],
  };
}
