import { quoted } from '../../../importers/file-problem.js';
import { Refusal, refuse } from './refusal.js';

/** All that a condition may ask. What is absent is unknown. */
export interface Host {
  readonly platform?: string | undefined;
  readonly os?: string | undefined;
  readonly target?: string | undefined;
  readonly hostname?: string | undefined;
  /** All variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export type Value = string | boolean | null | readonly Value[];
/** A part of a condition, once it is read. */
export type Part = (host: Host) => Value;

export class Unknown extends Refusal {
  /** @param key of `host` that would tell */
  constructor(
    message: string,
    readonly key: string,
  ) {
    super(message);
  }
}

export const isTrue = (value: Value): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
export const isFalse = (value: Value): boolean => !isTrue(value);
export const isEqual = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A text between quotes. Python keeps a backslash before most letters. */
export function textIn(word: string): string {
  const inner = word.replace(/^r/, '').slice(1, -1);
  return word.startsWith('r') ? inner : inner.replaceAll(/\\(['"\\])/g, '$1');
}

export function textOf(value: Value, what: string): string {
  return typeof value === 'string' ? value : refuse(`${what} needs a text, and has ${quoted(value)}`);
}

export function has(list: Value, value: Value): boolean {
  if (Array.isArray(list)) return list.some((one) => isEqual(one, value));
  return textOf(list, '"in"').includes(textOf(value, '"in"'));
}

function said(host: Host, key: 'platform' | 'os' | 'target' | 'hostname'): string {
  const value = host[key];
  if (value === undefined) throw new Unknown(`\`host\` does not say ${key}`, key);
  return value;
}

/** Value of a variable. Null: it is not set. */
export function variableIn({ env }: Host, name: string): string | null {
  if (env === undefined) throw new Unknown('`host` does not say env', 'env');
  return Object.hasOwn(env, name) ? env[name]! : null;
}

const arch: Part = (host) => [said(host, 'platform'), said(host, 'os'), said(host, 'target')].join('-');

/** Values by their names. */
export const NAMES: Readonly<Record<string, Part>> = {
  ...{ arch, arch_str: arch, True: () => true, False: () => false },
  ...{ platform: (host) => said(host, 'platform'), os: (host) => said(host, 'os') },
  ...{ target: (host) => said(host, 'target'), hostname: (host) => said(host, 'hostname') },
};
