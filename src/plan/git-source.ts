import type { ReleaseFile } from '../model/schema/release-file.js';
import type { NamedSource } from '../model/schema/sections/sources.js';
import type { Path } from './errors.js';

export type GitSource = Extract<NamedSource, { git: string }>;

/** Returns the source of a file if it is a commit. Null for an sdist, and for a file of named sources alone. */
export const gitSourceOf = ({ source }: Pick<ReleaseFile, 'source'>): GitSource | null =>
  source !== undefined && 'git' in source ? source : null;

/** A source that is a commit, with its path in the release file. */
export interface PlacedGitSource {
  readonly name: string;
  readonly source: GitSource;
  readonly path: Path;
}

export const namedGitSources = ({ sources }: Pick<ReleaseFile, 'sources'>): readonly PlacedGitSource[] =>
  Object.entries(sources).flatMap(([name, source]) =>
    'git' in source ? [{ name, source, path: ['sources', name] }] : [],
  );
