import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../model/json.js';

/** Returns the record of a plan's settings as files: `config.yaml` has its `document`, and `presets_applied` a line for
 * each assignment of `applied`, as TOPSAIL logs it. */
export function settingsFiles({ document, applied }: JsonObject): Readonly<Record<string, string>> {
  const lines = (Array.isArray(applied) ? (applied as readonly JsonObject[]) : []).flatMap(
    ({ path, value = null, from }) => {
      const preset = (from as JsonObject | undefined)?.['preset'];
      return preset === undefined ? [] : [`preset[${String(preset)}] ${String(path)} --> ${pythonText(value)}\n`];
    },
  );
  return {
    ...(document !== undefined && { 'config.yaml': stringify(document, { lineWidth: 0 }) }),
    ...(Array.isArray(applied) && { presets_applied: lines.join('') }),
  };
}

/** Returns what Python's `str` makes of a value. */
const pythonText = (value: Json): string => (typeof value === 'string' ? value : pythonRepr(value));

function pythonRepr(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(pythonRepr).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, one]) => `${quoted(key)}: ${pythonRepr(one ?? null)}`);
  return `{${pairs.join(', ')}}`;
}

/** Python quotes with `'` unless a text has only that one. */
function quoted(text: string): string {
  const plain = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return text.includes("'") && !text.includes('"') ? `"${plain}"` : `'${plain.replaceAll("'", "\\'")}'`;
}
