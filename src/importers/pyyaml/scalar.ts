/** A plain scalar as PyYAML reads it. */
export interface Read {
  readonly type: 'null' | 'boolean' | 'integer' | 'float' | 'date' | 'text';
  readonly value: null | boolean | number | string;
  /** The value as Python's `str` prints it. */
  readonly text: string;
  /** As the file writes it. Absent: `text` is. */
  readonly source?: string;
}

const NULL = /^(~|null|Null|NULL|)$/;
const TRUE = /^(yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INTEGER =
  /^([-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+)$/;
const FLOAT =
  /^([-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;
const DATE =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)$/;

/** Resolves a plain scalar by the expressions of PyYAML (yaml/resolver.py), which differ from YAML 1.1: `y` and `1e3` are texts. */
export function plainScalar(source: string): Read {
  const read = resolved(source);
  return read.text === source ? read : { ...read, source };
}

function resolved(source: string): Read {
  if (NULL.test(source)) return { type: 'null', value: null, text: 'None' };
  if (TRUE.test(source)) return { type: 'boolean', value: true, text: 'True' };
  if (FALSE.test(source)) return { type: 'boolean', value: false, text: 'False' };
  // Longer numbers exist in no file, and take quadratic time.
  if (source.length > MOST_DIGITS || !/^[-+.0-9]/.test(source)) return textScalar(source);
  if (INTEGER.test(source)) return integer(source.replaceAll('_', ''));
  if (FLOAT.test(source)) return float(source.replaceAll('_', ''));
  return DATE.test(source) ? { type: 'date', value: source, text: source } : textScalar(source);
}

export const textScalar = (text: string): Read => ({ type: 'text', value: text, text });

const MOST_DIGITS = 100;

function integer(source: string): Read {
  const negative = source.startsWith('-');
  const digits = source.replace(/^[-+]/, '');
  const size = digits.includes(':') ? sexagesimal(digits) : wholeNumber(digits);
  const exact = negative ? -size : size;
  return { type: 'integer', value: Number(exact), text: String(exact) };
}

/** Base 60: `1:30` is 90. */
const sexagesimal = (digits: string): bigint => digits.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);

/** `0b` and nothing is what is left of `0b_`. */
function wholeNumber(digits: string): bigint {
  if (/^0[bx]/.test(digits)) return digits.length > 2 ? BigInt(digits) : 0n;
  return /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits || '0');
}

function float(source: string): Read {
  const value = floatValue(source.toLowerCase());
  return { type: 'float', value, text: pythonFloat(value) };
}

function floatValue(source: string): number {
  if (source.endsWith('.inf')) return source.startsWith('-') ? -Infinity : Infinity;
  if (source === '.nan') return NaN;
  if (!source.includes(':')) return Number(source);
  const size = source
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return source.startsWith('-') ? -size : size;
}

/** Python's `repr` of a float. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e16) ? value.toExponential() : String(value);
  if (text.includes('e')) return text.replace(/e([-+])(\d)$/, 'e$10$2');
  return text.includes('.') ? text : `${Object.is(value, -0) ? '-0' : text}.0`;
}
