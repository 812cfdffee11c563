import { type Document, isMap, isScalar, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { placed } from '../model/failure.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { ImportedEntry } from '../model/imported-entry.js';

/** The text of a release file with imported entries in place of their imports. Each names its place in a comment.
 * Entries that are left out are not in it.
 * @param made imported entries by the id of their importing entry
 * @param bases the bases with the packages that imports add */
export function expandedText(
  text: string,
  made: Readonly<Record<string, readonly ImportedEntry[]>>,
  bases: ReleaseFile['bases'],
): string {
  const document = parseDocument(text);
  writePackages(document, bases);
  for (const [id, all] of Object.entries(made)) {
    const [section = '', name] = id.split('/');
    const entries = all.filter((one) => one.section === undefined);
    for (const other of new Set(all.flatMap((one) => one.section ?? []))) addToSection(document, other, all);
    const map: unknown = document.get(section, true);
    if (!isMap(map)) continue;
    const at = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
    const pairs = entries
      .filter(({ because }) => because === null)
      .map((one) => pairOf(one, (value) => document.createNode(value)));
    map.items.splice(at, 1, ...pairs);
    (map as YAMLMap).flow = false;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Writes packages of imports out: an expanded file imports nothing. */
function writePackages(document: Document, bases: ReleaseFile['bases']): void {
  for (const [name, base] of Object.entries(bases))
    if ('debian' in base && base.bindep !== undefined) {
      document.setIn(['bases', name, 'packages'], document.createNode(base.packages));
      document.deleteIn(['bases', name, 'bindep']);
    }
}

/** Adds imported entries of a section that no entry imports. */
function addToSection(document: Document, name: keyof ReleaseFile, all: readonly ImportedEntry[]): void {
  const known: unknown = document.get(name, true);
  const map = isMap(known) ? (known as YAMLMap) : (document.createNode({}) as YAMLMap);
  const added = all.filter((one) => one.section === name);
  map.items.push(...added.map((one) => pairOf(one, (value) => document.createNode(value))));
  map.flow = false;
  document.set(name, map);
}

function pairOf({ name, entry, origin }: ImportedEntry, node: (value: unknown) => unknown): Pair {
  const map = node({ [name]: entry }) as YAMLMap;
  const pair = map.items[0] as Pair<Scalar, unknown>;
  pair.key.commentBefore = ` ${placed(origin)}`;
  return pair;
}
