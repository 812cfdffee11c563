import type { Importer, Imported, Setting } from '../../../../importers/importer.js';
import type { ImportedEntry } from '../../../../model/imported-entry.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import { Command } from '../../../../model/schema/sections/builds.js';
import type { TopsailImport } from '../../schemas/config.js';
import { wordlessJson } from './call.js';
import { MOST_DOCUMENT, problems } from './errors.js';

/** Entry points of a project in the order of a job, the end of the names of their entries, and what they come behind. */
const STEPS = [
  { ends: 'clean', step: 'pre_cleanup_ci', needs: [], after: [] },
  { ends: 'prepare', step: 'prepare_ci', needs: ['clean'], after: [] },
  { ends: 'test', step: 'test_ci', needs: ['prepare'], after: [] },
  { ends: 'clean-after', step: 'post_cleanup_ci', needs: [], after: ['clean', 'prepare', 'test'] },
] as const;

/** The document is a file for TOPSAIL. $SHARED_DIR of a step has the files of the step before it, which may be left out. */
const LINE = `mkdir -p "$ARTIFACT_DIR" "$SHARED_DIR"
if [ -f "$INPUTS/inputs/shared.tar" ]; then tar -xf "$INPUTS/inputs/shared.tar" -C "$SHARED_DIR"; fi
printf '%s\\n' "$TOPSAIL_CONFIG" > "$TOPSAIL_FROM_CONFIG_FILE"`;
const KEEP = 'tar -cf {out}/shared.tar -C "$SHARED_DIR" .';

/** Makes the steps of a job of TOPSAIL. Each has the whole document in its environment, so that its key holds it. */
export const topsail: Importer<TopsailImport, object> = {
  makes: { steps: Command },
  stored: null,
  read: () => ({ kept: {} }),
  make: (_, entry, setting) => lifecycleOf(entry, setting),
};

function lifecycleOf({ env, project }: TopsailImport, { at, key, settings }: Setting): Imported {
  const { document } = (settings?.document ?? {}) as { readonly document?: Json };
  const place = at([]);
  if (document === undefined || project === undefined) return { entries: [], findings: [problems.noProject(place)] };
  const text = wordlessJson(document);
  const size = sizeOf(text);
  if (size > MOST_DOCUMENT) return { entries: [], findings: [problems.documentTooLarge(place, size)] };
  const name = key.slice(key.indexOf('.') + 1);
  const idOf = (ends: string): string => `steps/${name}-${ends}`;
  const entries = STEPS.map(({ ends, step, needs, after }): ImportedEntry => {
    const isLast = after.length > 0;
    const entry: JsonObject = {
      run: [LINE, `testing/run "$TOPSAIL_PROJECT" test ${step}`, ...(isLast ? [] : [KEEP])].join('\n'),
      env: {
        ...{ ARTIFACT_DIR: '{out}/artifacts', SHARED_DIR: '{out}/shared' },
        ...{ TOPSAIL_FROM_CONFIG_FILE: '{out}/config.yaml', TOPSAIL_CONFIG: text },
        ...{ TOPSAIL_PROJECT: project.replace(/^.*\//, ''), ...env },
      },
      needs: ['source', ...needs.map(idOf)],
      ...(needs.length > 0 && { inputs: 'optional' }),
      ...{ network: true, ...whenOf(step, document) },
      ...(isLast ? { after: after.map(idOf) } : { cache: false, outputs: ['{out}/artifacts/**', '{out}/shared.tar'] }),
    };
    return { name: `${name}-${ends}`, entry, origin: place ?? { file: project }, places: {}, because: null };
  });
  return { entries, findings: [] };
}

/** Leaves an entry point out as `exec_list` of the configuration does, where null means that it runs.
 * Source: `test_skip_list` of upstream's projects/core/library/config.py. */
function whenOf(step: string, document: Json): JsonObject {
  const { exec_list: list } = document as { readonly exec_list?: JsonObject | null };
  const isAsked = list?.[step] === false || (list?.[step] === null && list['_only_'] === true);
  return isAsked ? { when: `exec_list.${step}` } : {};
}

/** Bytes of a text in UTF-8. */
const sizeOf = (text: string): number => text.length + (text.match(/[\u0080-\uffff]/g)?.length ?? 0) * 2;
