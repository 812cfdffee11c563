import type { Problem } from '../../../../model/failure.js';
import type { At } from '../../../../importers/importer.js';
import type { ConfigSection } from '../../schemas/config.js';
import { problems } from './errors.js';
import type { Path } from './path.js';
import type { PresetKeys } from './presets.js';

/** Which file holds the configuration, and which of its keys hold presets. */
export interface Layout {
  readonly file: string;
  readonly presets: PresetKeys;
  /** Ours: the key of the presets is no part of the document, and a value keeps the type of the one that it replaces. */
  readonly isOurs: boolean;
  /** Names of presets that the file itself applies, and values that it assigns after them. */
  readonly applies?: Path;
  readonly overrides?: Path;
  /** List of the names of applied presets. */
  readonly names?: Path;
}

const slipway = (file: string): Layout => ({
  file,
  presets: { at: ['presets'], reserved: [] },
  isOurs: true,
});

/** TOPSAIL: projects/core/library/config.py, `init`. */
const topsail = (project: string): Layout => ({
  file: `${project}/testing/config.yaml`,
  presets: { at: ['ci_presets'], reserved: ['name', 'names', 'to_apply', 'variable_overrides'] },
  isOurs: false,
  applies: ['ci_presets', 'to_apply'],
  overrides: ['ci_presets', 'variable_overrides'],
  names: ['ci_presets', 'names'],
});

/** Returns the layout of a section, or the problem of its keys. */
export function layoutOf({ file, import: by, project }: ConfigSection, at: At): Layout | Problem {
  if (by === undefined)
    return project === undefined
      ? slipway(file ?? 'config.yaml')
      : problems.section(
          at(['project']),
          '`project` stands without `import`',
          'Write `import: topsail` beside it, or name the `file`.',
        );
  return file === undefined && project !== undefined
    ? topsail(project)
    : problems.section(
        at(['import']),
        `\`import: ${by}\` needs \`project\`, and takes no \`file\``,
        'Write `project: projects/NAME`.',
      );
}
