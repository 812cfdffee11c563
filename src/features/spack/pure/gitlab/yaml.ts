import type { Json, JsonObject } from '../../../../model/json.js';

/** A list or a map. Equal ones are one part. */
interface Part {
  /** `-` or `key:`, with what comes behind it. */
  readonly items: readonly (readonly [key: string, value: Part | string])[];
  readonly no: number;
  uses: number;
  /** Its anchor, once it is written. */
  anchor: string | null;
}

/** Prints a pipeline, its keys sorted. Equal parts are written once, with an anchor: a pipeline of hundreds of jobs stays small. */
export function pipelineText(pipeline: JsonObject): string {
  const partOf = openParts();
  const items = Object.keys(pipeline)
    .sort()
    .map((key) => [`${scalar(key)}:`, partOf(pipeline[key])] as const);
  let anchors = 0;
  const linesOf = ({ items: some }: Pick<Part, 'items'>, indent: string): string =>
    some
      .map(([key, value]) => `${indent}${key} ${typeof value === 'string' ? value : textOf(value, key, indent)}\n`)
      .join('');
  const textOf = (part: Part, key: string, indent: string): string => {
    if (part.anchor !== null) return `*${part.anchor}`;
    if (part.uses > 1) part.anchor = `id${(anchors += 1)}`;
    const lines = linesOf(part, `${indent}  `).trimEnd();
    // A map begins in the line of its dash.
    if (key === '-' && part.anchor === null) return lines.trimStart();
    return `${part.anchor === null ? '' : `&${part.anchor}`}\n${lines}`;
  };
  return linesOf({ items }, '').replaceAll(/: \n/g, ':\n');
}

function openParts() {
  const known = new Map<string, Part>();
  return function partOf(value: Json = null): Part | string {
    if (value === null || typeof value !== 'object') return scalar(value);
    const items = Array.isArray(value)
      ? (value as readonly Json[]).map((one) => ['-', partOf(one)] as const)
      : Object.entries(value).map(([key, one]) => [`${scalar(key)}:`, partOf(one)] as const);
    if (items.length === 0) return Array.isArray(value) ? '[]' : '{}';
    const parts = items.map(([, part]) => part).filter((part) => typeof part !== 'string');
    const name = items.map(([key, part]) => `${key} ${typeof part === 'string' ? part : `&${part.no}`}`).join('\n');
    const before = known.get(name);
    // A part that is there is not written again, nor is anything below it.
    if (before !== undefined) for (const part of parts) part.uses -= 1;
    const part = before ?? { items, no: known.size, uses: 0, anchor: null };
    part.uses += 1;
    known.set(name, part);
    return part;
  };
}

const PLAIN = /^[A-Za-z$/][\w./@$+~-]*(?: [\w./@$+~-]+)*$/;
/** GitLab reads YAML 1.1: `yes` is a text in quotes alone. */
const WORD_OF_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A text in quotes of JSON is one of YAML too. */
const scalar = (value: string | number | boolean | null): string =>
  typeof value !== 'string' || (PLAIN.test(value) && !WORD_OF_YAML.test(value)) ? String(value) : JSON.stringify(value);
