import { normalName } from '../../model/python/file-name.js';
import { parseSpecifiers } from '../../model/python/specifier.js';
import { type Marker, parseMarker } from './marker.js';
import { quoted } from './quoted.js';

/** A requirement of a list. */
export interface Requirement {
  /** As the list spells it. */
  readonly name: string;
  /** As PEP 503 normalises it. */
  readonly project: string;
  /** Version specifiers as written, without spaces; empty: any version. */
  readonly specifiers: string;
  /** Null: for all targets. */
  readonly marker: Marker | null;
  /** Digests that the sdist must have one of; empty: any. */
  readonly sha256: readonly string[];
}

export type Parsed =
  | { readonly is: 'requirement'; readonly requirement: Requirement }
  /** Another list of the same commit. */
  | { readonly is: 'list'; readonly path: string; readonly isConstraint: boolean }
  /** A line that no wheel follows from. */
  | { readonly is: 'left out'; readonly because: string }
  | { readonly is: 'fault'; readonly why: string };

const LISTS: Readonly<Record<string, boolean>> = {
  '-r': false,
  '--requirement': false,
  '-c': true,
  '--constraint': true,
};
const EDITABLE = ['-e', '--editable'];
/** Options about where and how pip looks. Slipway asks the index of pip's own configuration. */
const OPTIONS = [
  ...['-i', '--index-url', '--pypi-url', '--extra-index-url', '--no-index', '-f', '--find-links', '--trusted-host'],
  ...['--no-binary', '--only-binary', '--prefer-binary', '--require-hashes', '--pre', '--use-feature'],
];

/** Answers of the index are files named after the project, and names of files have at most 255 bytes. */
const LONGEST_NAME = 200;
const NAME = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s;
const PLACE = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|git\+|file:|\.{0,2}\/)|\.(?:whl|zip|tar\.gz|tar\.bz2)$/;

/** Reads one line of a requirements file. */
export function parseLine(text: string): Parsed {
  const [, option, value = ''] = /^(--?[A-Za-z][A-Za-z-]*)(?:\s*=\s*|\s+|$)(.*)$/s.exec(text) ?? shortOption(text);
  if (option !== undefined) return optionLine(option, value.trim());
  const [head = '', ...options] = text.split(/\s+(?=--?[A-Za-z])/);
  if (PLACE.test(head.split(/\s/)[0]!))
    return { is: 'left out', because: 'it names a place, and no version of an index' };
  return requirementIn(head, options);
}

/** `-rbase.txt` */
const shortOption = (text: string): readonly (string | undefined)[] => /^(-[rcefi])(.+)$/s.exec(text) ?? [];

function optionLine(option: string, value: string): Parsed {
  if (Object.hasOwn(LISTS, option))
    return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)
      ? { is: 'left out', because: 'it names a list outside the commit' }
      : { is: 'list', path: value, isConstraint: LISTS[option]! };
  if (EDITABLE.includes(option)) return { is: 'left out', because: 'it is editable, and has no version of an index' };
  if (OPTIONS.includes(option))
    return { is: 'left out', because: `${option} is an option of pip; the index is that of pip's own configuration` };
  return { is: 'fault', why: `${option} is no option of requirements files` };
}

function requirementIn(head: string, options: readonly string[]): Parsed {
  const cut = head.indexOf(';');
  const [before, condition] = cut < 0 ? [head, null] : [head.slice(0, cut), head.slice(cut + 1)];
  const [, name, rest = ''] = NAME.exec(before.trim()) ?? [];
  if (name === undefined) return { is: 'fault', why: 'no name of a project begins it' };
  if (name.length > LONGEST_NAME)
    return { is: 'fault', why: `its name has ${name.length} characters, and ${LONGEST_NAME} are allowed` };
  if (rest.startsWith('@')) return { is: 'left out', because: 'it names a place, and no version of an index' };
  const specifiers = rest.replace(/^\((.*)\)$/s, '$1').replace(/\s+/g, '');
  if (parseSpecifiers(specifiers) === null)
    return { is: 'fault', why: `${quoted(rest.trim())} is no specifier of versions` };
  const marker = condition === null ? null : parseMarker(condition);
  if (typeof marker === 'string') return { is: 'fault', why: `its marker is none: ${marker}` };
  const sha256 = hashesIn(options);
  if (typeof sha256 === 'string') return { is: 'fault', why: sha256 };
  return { is: 'requirement', requirement: { name, project: normalName(name), specifiers, marker, sha256 } };
}

/** Returns the digests. Returns a text that says what is wrong with them. */
function hashesIn(options: readonly string[]): readonly string[] | string {
  const all: string[] = [];
  let hasOthers = false;
  for (const option of options) {
    const [, algorithm, digest = ''] = /^--hash[=\s]\s*([a-z0-9]+):(\S+)\s*$/.exec(option) ?? [];
    if (algorithm === undefined && !/^--(config-settings?|global-option)\b/.test(option))
      return `${quoted(option)} is no option of a requirement`;
    if (algorithm === 'sha256' && !/^[0-9a-f]{64}$/.test(digest)) return `${quoted(digest)} is no sha256`;
    if (algorithm === 'sha256') all.push(digest);
    else hasOthers ||= algorithm !== undefined;
  }
  return hasOthers && all.length === 0 ? 'none of its hashes is a sha256' : all;
}
