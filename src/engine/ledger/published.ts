import type { Published } from '../../model/report.js';
import type { Result } from '../../model/result.js';

/** What a publish step left in its facts; nothing from other steps. */
export const publishedBy = (result: Result): readonly Published[] =>
  result.kind === 'publishArtifacts' ? ((result.facts['published'] as readonly Published[] | undefined) ?? []) : [];
