import type { Published } from '../../model/report.js';
import type { Result } from '../../model/result.js';

/** Returns the published names in a publish step's facts. Empty for other steps. */
export const publishedBy = (result: Result): readonly Published[] =>
  result.kind === 'publishArtifacts' ? ((result.facts['published'] as readonly Published[] | undefined) ?? []) : [];
