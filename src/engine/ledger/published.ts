import type { Published } from '../../model/report.js';
import type { Result } from '../../model/result.js';

/** Returns the names that a publish step recorded in its facts. Empty for other steps. */
export const publishedBy = (result: Result): readonly Published[] =>
  result.kind === 'publishArtifacts' ? ((result.facts['published'] as readonly Published[] | undefined) ?? []) : [];
