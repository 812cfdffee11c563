import { normalName, parseFileName } from '../../model/python/file-name.js';
import type { Item } from '../publish/ports.js';

/** A project in an index: name and version from its file names, and the digests that may be installed. */
export interface PythonRelease {
  readonly project: string;
  readonly version: string;
  readonly items: readonly Item[];
  /** False if there is only an sdist. */
  readonly hasWheel: boolean;
}

export function releasesOf(items: readonly Item[]): readonly PythonRelease[] {
  const groups = new Map<string, PythonRelease>();
  for (const item of items) {
    const { project, version } = parseFileName(item.name) ?? { project: item.name, version: '' };
    const key = normalName(project);
    const group = groups.get(key) ?? { project, version, items: [], hasWheel: false };
    groups.set(key, {
      ...group,
      items: [...group.items, item],
      hasWheel: group.hasWheel || item.name.endsWith('.whl'),
    });
  }
  return [...groups.values()];
}

/** Returns requirements that only the sealed bytes satisfy: `skiff==1.0 --hash=sha256:…`. An sdist is given by URL, so
 * that its build requirements may come from another index. */
export const requirements = (releases: readonly PythonRelease[]): string =>
  releases
    .map(({ project, version, items, hasWheel }) =>
      [
        hasWheel ? `${project}==${version}` : `${project} @ ${items[0]!.url}`,
        ...items.map(({ artifact }) => `--hash=${artifact.digest}`),
      ].join(' \\\n  '),
    )
    .map((line) => `${line}\n`)
    .join('');

export function othersAmong(lines: readonly string[], releases: readonly PythonRelease[]): readonly string[] {
  const own = new Set(releases.map(({ project }) => normalName(project)));
  return lines.filter((line) => line !== '' && !own.has(normalName(/^[\w.-]+/.exec(line)?.[0] ?? '')));
}

/** Returns tags of the Pythons with a wheel: `cp311`. Empty if any Python fits. */
export const pythonTags = (items: readonly Item[]): readonly string[] => [
  ...new Set(items.flatMap(({ name }) => /-(cp3\d+)-[^-]+-[^-]+\.whl$/.exec(name)?.[1] ?? [])),
];
