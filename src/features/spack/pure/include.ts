import { type CommitAsk, type FileAsk, fileKey, type ImportFacts } from '../../../importers/asks.js';
import { type Complain, quoted } from '../../../importers/file-problem.js';
import { insideSource } from '../../../importers/inside-source.js';
import { type Doc, readDoc } from '../../../importers/pyyaml/read.js';
import { type Dict, isDict, textAt, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import { problems } from './errors.js';
import { isSet, itemsOf, sectionIn, wordOf } from './sections.js';
import type { Host } from './when-words.js';
import { evaluateWhen } from './when.js';

/** An environment of the release file, with the files that planning has read for it. */
export interface Around {
  readonly host: Host;
  /** Repositories from which files may be included. */
  readonly repositories: readonly string[];
  readonly facts: Pick<ImportFacts, 'text' | 'file'>;
}

/** A map of sections, and the file that has it. */
export interface Part {
  readonly doc: Doc;
  readonly top: Dict;
  /** Key of its text in the facts of the import. */
  readonly key: string;
}

export interface Included {
  /** The part that takes precedence comes first. */
  readonly parts: readonly Part[];
  /** Files to read before the rest can be told. */
  readonly asks: readonly (CommitAsk | FileAsk)[];
}

/** A path, in the source or in a repository at a commit. */
interface Spot {
  readonly git: { readonly git: string; readonly commit: string } | null;
  readonly path: string;
}

/** Files of an included folder, by section. */
const SECTIONS = ['ci', 'config', 'definitions', 'include', 'mirrors', 'packages'];
const KEYS = ['path', 'when', 'optional', 'git', 'commit', 'branch', 'tag', 'paths', 'name', 'prefer_modify'];
const MOST_NESTED = 5;
const MOST_FILES = 500;

const keyOf = ({ git, path }: Spot): string => (git === null ? path : fileKey({ ...git, path }));

/** Reads the includes of a spack.yaml, and theirs.
 * @param own the part of the file itself */
export function readIncludes(own: Part, around: Around, complain: Complain): Included {
  const parts = new Map<string, Part>([[own.key, own]]);
  const asks: (CommitAsk | FileAsk)[] = [];
  let seen = 0;

  /** @param within keys of the files around it, outermost first */
  const include = (part: Part, at: Spot, within: readonly string[]): void => {
    for (const item of itemsOf(sectionIn(part.top, 'include'))) {
      const place = part.doc.place(item.at);
      const refuse = (why: string): void => complain(problems.includeRefused(place, why));
      seen += 1;
      if (seen > MOST_FILES) return refuse(`more than ${MOST_FILES} are there`);
      const spots = spotsOf(item, at, around.repositories);
      if (typeof spots === 'string') refuse(spots);
      else if (isTold(valueAt(item, ['when']), around.host, part.doc, complain))
        for (const spot of spots) read(spot, item, part, within);
    }
  };

  const read = (spot: Spot, item: Tree, part: Part, within: readonly string[]): void => {
    const texts = filesOf(spot).map((one) => ({ spot: one, text: textOf(one, around) }));
    const unread = texts.filter(({ text }) => text === undefined);
    asks.push(...unread.map((one) => askOf(one.spot)));
    const isThere = unread.length > 0 || texts.some(({ text }) => typeof text === 'string');
    if (!isThere && !isSet(item, 'optional')) complain(problems.includeAbsent(part.doc.place(item.at), keyOf(spot)));
    for (const one of texts) if (typeof one.text === 'string') enter(one.spot, one.text, item, part, within);
  };

  const enter = (spot: Spot, text: string, item: Tree, from: Part, within: readonly string[]): void => {
    const key = keyOf(spot);
    const place = from.doc.place(item.at);
    if (within.includes(key)) return complain(problems.includeCycle(place, [...within, key]));
    if (within.length > MOST_NESTED) return complain(problems.includeRefused(place, 'includes are nested too deep'));
    if (parts.has(key)) return;
    const doc = readDoc(text, key, complain);
    if (doc === null || !isDict(doc.tree)) return;
    const part = { doc, top: doc.tree, key };
    parts.set(key, part);
    include(part, spot, [...within, key]);
  };

  include(own, { git: null, path: own.key }, [own.key]);
  return { parts: [...parts.values()], asks };
}

const filesOf = (spot: Spot): readonly Spot[] =>
  /\.ya?ml$/.test(spot.path) ? [spot] : SECTIONS.map((name) => ({ ...spot, path: `${spot.path}/${name}.yaml` }));

const textOf = (spot: Spot, { facts }: Around): string | null | undefined =>
  spot.git === null ? facts.text[spot.path] : facts.file[keyOf(spot)];

const askOf = ({ git, path }: Spot): CommitAsk | FileAsk =>
  git === null ? { ask: 'text', path } : { ask: 'file', ...git, path };

/** Whether a condition of a file holds. Complains of one that nobody can tell; then it does not. */
export function isTold(when: Tree | undefined, host: Host, doc: Doc, complain: Complain): boolean {
  if (when === undefined) return true;
  const told = evaluateWhen(wordOf(when) ?? '', host);
  if ('holds' in told) return told.holds;
  const place = doc.place(when.at);
  complain(
    told.unknown === null ? problems.whenNotUnderstood(place, told.why) : problems.whenUnknown(place, told.unknown),
  );
  return false;
}

/** Returns the files or folders of an item, or why it is refused. */
function spotsOf(item: Tree, at: Spot, repositories: readonly string[]): readonly Spot[] | string {
  const strange = isDict(item) ? [...item.keys.keys()].find((key) => !KEYS.includes(key)) : undefined;
  if (strange !== undefined) return `it has the key ${quoted(strange)}`;
  const git = textAt(item, 'git');
  if (git !== undefined) return ofRepository(item, git, repositories);
  const path = wordOf(item) ?? textAt(item, 'path');
  if (path === undefined) return 'it names no path';
  if (/^(\/|~|[a-z+]+:\/\/)|\$/.test(path)) return `${quoted(path)} is no path from the file that includes it`;
  const inner = insideSource(`${at.path.replace(/[^/]*$/, '')}${path}`);
  return inner === null ? `${quoted(path)} leads out of the source` : [{ git: at.git, path: inner }];
}

function ofRepository(item: Tree, git: string, repositories: readonly string[]): readonly Spot[] | string {
  const commit = textAt(item, 'commit') ?? '';
  if (!repositories.includes(git)) return `the key "includes" of the import does not name ${quoted(git)}`;
  if (!/^[0-9a-f]{40}$/.test(commit)) return 'a repository is named with `commit`, a full hash of 40 digits';
  const paths = itemsOf(valueAt(item, ['paths'])).map((path) => wordOf(path) ?? '');
  const inner = paths.map((path) => (/^[/~]|\$/.test(path) ? null : insideSource(path)));
  if (inner.length === 0 || inner.includes(null)) return '`paths` are paths from the top of the repository';
  return inner.map((path) => ({ git: { git, commit }, path: path! }));
}
