import type { At } from '../../../../importers/importer.js';
import type { Problem } from '../../../../model/failure.js';
import type { ConfigSection } from '../../schemas/config.js';
import { problems } from './errors.js';

/** Which file holds the configuration, and which of its keys hold presets. */
export interface Layout {
  readonly file: string;
  /** Key of the presets at the top. */
  readonly presets: string;
  /** Names below it that are no presets. */
  readonly reserved: readonly string[];
  /** Ours: the key of the presets is no part of the document, and a value keeps the type of the one that it replaces. */
  readonly isOurs: boolean;
}

/** Keys beside the presets of a TOPSAIL project (projects/core/library/config.py, `init`): presets that the file applies, values that
 * it assigns after them, names of applied presets. */
export const TOPSAIL_KEYS = { apply: 'to_apply', assign: 'variable_overrides', names: 'names' };

/** Returns the layout of a section, or the problem of its keys. */
export function layoutOf({ file = 'config.yaml', import: by, project }: ConfigSection, at: At): Layout | Problem {
  if (by === undefined && project === undefined) return { file, presets: 'presets', reserved: [], isOurs: true };
  if (by === undefined || project === undefined || file !== 'config.yaml')
    return problems.section(at([by === undefined ? 'project' : 'import']));
  return {
    file: `${project}/testing/config.yaml`,
    presets: 'ci_presets',
    reserved: ['name', ...Object.values(TOPSAIL_KEYS)],
    isOurs: false,
  };
}
