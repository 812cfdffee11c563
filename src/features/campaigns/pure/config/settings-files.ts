import { stringify } from 'yaml';
import type { JsonObject } from '../../../../model/json.js';
import { type Value, textOf } from '../topsail/template/values.js';
import { unbounded } from '../topsail/template/work.js';

/** Returns files of a plan's settings: `config.yaml`, and `presets_applied` with a line for each assignment, as TOPSAIL logs it. */
export function settingsFiles({ document, applied }: JsonObject): Readonly<Record<string, string>> {
  const lines = (Array.isArray(applied) ? (applied as readonly JsonObject[]) : []).flatMap(
    ({ path, value = null, from }) => {
      const preset = (from as JsonObject | undefined)?.['preset'];
      const text = textOf(value as Value, unbounded());
      return preset === undefined ? [] : [`preset[${String(preset)}] ${String(path)} --> ${text}\n`];
    },
  );
  return {
    ...(document !== undefined && { 'config.yaml': stringify(document, { lineWidth: 0 }) }),
    ...(Array.isArray(applied) && { presets_applied: lines.join('') }),
  };
}
