import { type CommitAsk, type FileAsk, fileKey, type ImportFacts } from '../../../importers/asks.js';
import { type Complain, quoted } from '../../../importers/file-problem.js';
import { insideSource } from '../../../importers/inside-source.js';
import { type Doc, readDoc } from '../../../importers/pyyaml/read.js';
import { type Dict, isDict, textAt, type Tree } from '../../../importers/pyyaml/tree.js';
import { problems } from './errors.js';
import { evaluateWhen, type Host } from './when.js';

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
    const place = (tree: Tree) => part.doc.place(tree.at);
    const found = part.top.keys.get('include') ?? part.top.keys.get('include:');
    for (const item of found?.value.kind === 'list' ? found.value.items : []) {
      seen += 1;
      if (seen > MOST_FILES) return complain(problems.includeRefused(place(item), `more than ${MOST_FILES} are there`));
      const said = spotsOf(item, at, around, (why) => complain(problems.includeRefused(place(item), why)));
      if (said === null || !holds(item, around.host, part.doc, complain)) continue;
      for (const spot of said) {
        const texts = filesOf(spot).map((one) => ({ spot: one, text: textOf(one, around) }));
        const unread = texts.filter(({ text }) => text === undefined);
        asks.push(...unread.map((one) => askOf(one.spot)));
        const isThere = unread.length > 0 || texts.some(({ text }) => typeof text === 'string');
        const isOptional = isDict(item) && textAt(item, 'optional') === undefined && isSet(item, 'optional');
        if (!isThere && !isOptional) complain(problems.includeAbsent(place(item), keyOf(spot)));
        for (const one of texts) if (typeof one.text === 'string') enter(one.spot, one.text, item, part, within);
      }
    }
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

const isSet = (item: Dict, key: string): boolean => {
  const found = item.keys.get(key)?.value;
  return found?.kind === 'scalar' && found.value === true;
};

const isFolder = (path: string): boolean => !/\.ya?ml$/.test(path);
const filesOf = (spot: Spot): readonly Spot[] =>
  isFolder(spot.path) ? SECTIONS.map((name) => ({ ...spot, path: `${spot.path}/${name}.yaml` })) : [spot];

const textOf = (spot: Spot, { facts }: Around): string | null | undefined =>
  spot.git === null ? facts.text[spot.path] : facts.file[keyOf(spot)];

const askOf = ({ git, path }: Spot): CommitAsk | FileAsk =>
  git === null ? { ask: 'text', path } : { ask: 'file', ...git, path };

function holds(item: Tree, host: Host, doc: Doc, complain: Complain): boolean {
  const when = isDict(item) ? item.keys.get('when')?.value : undefined;
  return when === undefined || isTold(when, host, doc, complain);
}

/** Whether a condition of a file holds. Complains of one that nobody can tell; then it does not. */
export function isTold(when: Tree, host: Host, doc: Doc, complain: Complain): boolean {
  const told = evaluateWhen(when.kind === 'scalar' ? when.text : '', host);
  if ('holds' in told) return told.holds;
  const place = doc.place(when.at);
  complain(
    told.unknown === null ? problems.whenNotUnderstood(place, told.why) : problems.whenUnknown(place, told.unknown),
  );
  return false;
}

/** Returns the files or folders of an item. Null: it is refused. */
function spotsOf(
  item: Tree,
  at: Spot,
  { repositories }: Around,
  refuse: (why: string) => void,
): readonly Spot[] | null {
  const strange = isDict(item) ? [...item.keys.keys()].find((key) => !KEYS.includes(key)) : undefined;
  const [path, git] = isDict(item)
    ? [textAt(item, 'path'), textAt(item, 'git')]
    : [item.kind === 'scalar' ? item.text : undefined];
  const no = (why: string): null => {
    refuse(why);
    return null;
  };
  if (strange !== undefined) return no(`it has the key ${quoted(strange)}`);
  if (git !== undefined && isDict(item)) return ofRepository(item, git, repositories, no);
  if (path === undefined) return no('it names no path');
  if (/^(\/|~|[a-z+]+:\/\/)|\$/.test(path)) return no(`${quoted(path)} is no path from the file that includes it`);
  const inner = insideSource(`${at.path.replace(/[^/]*$/, '')}${path}`);
  return inner === null ? no(`${quoted(path)} leads out of the source`) : [{ git: at.git, path: inner }];
}

function ofRepository(
  item: Dict,
  git: string,
  repositories: readonly string[],
  no: (why: string) => null,
): readonly Spot[] | null {
  const commit = textAt(item, 'commit') ?? '';
  const paths = item.keys.get('paths')?.value;
  const texts = paths?.kind === 'list' ? paths.items.map((one) => (one.kind === 'scalar' ? one.text : '')) : [];
  if (!repositories.includes(git)) return no(`the key "includes" of the import does not name ${quoted(git)}`);
  if (!/^[0-9a-f]{40}$/.test(commit)) return no('a repository is named with `commit`, a full hash of 40 digits');
  const inner = texts.map((path) => (/^[/~]|\$/.test(path) ? null : insideSource(path)));
  if (inner.length === 0 || inner.includes(null)) return no('`paths` are paths from the top of the repository');
  return inner.map((path) => ({ git: { git, commit }, path: path! }));
}
