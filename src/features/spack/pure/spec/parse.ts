import { type NotUnderstood, refuse, unlessRefused, wordsOf } from '../refusal.js';
import { ANY, type Edge, FLAGS, type Flag, type Spec, type Variant } from './spec.js';
import { knownTargets } from './targets.js';
import { rangesOf } from './versions.js';

const NAME = '[A-Za-z0-9_][\\w-]*';
const VALUE = `(?:'[^']*'|"[^"]*"|[\\w+*.,:=%^~/\\\\-]+)`;
const VERSION = '=?[A-Za-z0-9_][\\w.-]*';
const RANGE = `(?:(?:${VERSION})?:(?:${VERSION}(?!\\s*=))?|${VERSION})`;
const LONGEST = 10_000;

/** Words of a spec. The first that fits counts. */
const WORD = new RegExp(
  [
    '\\s+',
    `(?<edge>\\^|%%?)(?:\\[(?<properties>[^\\]]*)\\])?(?:\\s*(?<virtuals>${NAME}(?:,${NAME})*)=(?=${NAME}))?\\s*`,
    '(?<git>@(?:git\\.|[0-9a-fA-F]{40}\\b))',
    `@\\s*(?<versions>${RANGE}(?:\\s*,\\s*${RANGE})*)`,
    `(?<sign>\\+\\+|~~|--|[+~-])\\s*(?<bool>[A-Za-z0-9_][\\w.-]*)`,
    `(?<key>[A-Za-z0-9_][\\w.-]*?)(?<exact>:)?(?<equals>==?)(?<value>${VALUE})`,
    `(?<name>(?:${NAME}\\.)*${NAME}|\\*)`,
    '/(?<hash>\\w+)',
  ].join('|'),
  'y',
);

type Groups = Readonly<Record<string, string | undefined>>;

/** Reads a spec in time that grows with its length alone. */
export const parseSpec = (text: string): Spec | NotUnderstood => unlessRefused(() => specOf(text));

export const isUnderstood = (spec: Spec | NotUnderstood): spec is Spec => !('why' in spec);

/** A node and the edges that begin at it. */
interface Draft {
  readonly words: Groups[];
  readonly edges: { readonly word: Groups; readonly to: Draft }[];
}

function specOf(text: string): Spec {
  if (text.length > LONGEST) refuse(`it has ${text.length} characters`);
  const root: Draft = { words: [], edges: [] };
  // `%` belongs to the node before it, `^` to the root.
  let [node, near] = [root, root];
  for (const { groups: word = {} } of wordsOf(text, WORD)) {
    if (word['edge'] === undefined) node.words.push(word);
    else {
      node = { words: [], edges: [] };
      const isDirect = word['edge'] !== '^';
      (isDirect ? near : root).edges.push({ word, to: node });
      if (!isDirect) near = node;
    }
  }
  return built(root);
}

const built = ({ words, edges }: Draft): Spec => ({
  ...nodeOf(words),
  edges: edges.map(({ word, to }) => edgeOf(word, built(to))),
});

function edgeOf({ edge, properties = '', virtuals }: Groups, spec: Spec): Edge {
  const [, named] = /^\s*virtuals=([\w,-]+)\s*$/.exec(properties) ?? [];
  if (properties.trim() !== '' && named === undefined) refuse(`the edge has [${properties}]`);
  return {
    ...{ isDirect: edge !== '^', propagates: edge === '%%', spec },
    virtuals: [named, virtuals].flatMap((one) => one?.split(',') ?? []).sort(),
  };
}

function nodeOf(words: readonly Groups[]): Spec {
  const variants = new Map<string, Variant>();
  const flags = new Map<string, readonly Flag[]>();
  let spec: Spec = { ...ANY, variants, flags };
  for (const [at, word] of words.entries()) {
    const { name, versions, bool, key, hash } = word;
    if (word['git'] !== undefined) refuse('its version is a commit or a branch');
    if (name !== undefined && at > 0) refuse(`${name} is a second spec`);
    if (name !== undefined && name !== '*') spec = { ...spec, ...fullName(name) };
    if (versions !== undefined && spec.versions !== null) refuse('it has two versions');
    if (versions !== undefined) spec = { ...spec, versions: rangesOf(versions) };
    if (hash !== undefined) spec = { ...spec, hash };
    if (bool !== undefined) addVariant(variants, bool, boolVariant(word['sign']!));
    if (key !== undefined) spec = { ...spec, ...keyed(key, word, variants, flags) };
  }
  return spec;
}

function fullName(name: string): Pick<Spec, 'name' | 'namespace'> {
  const at = name.lastIndexOf('.');
  return { name: name.slice(at + 1), namespace: at < 0 ? null : name.slice(0, at) };
}

function addVariant(variants: Map<string, Variant>, name: string, variant: Variant): void {
  if (variants.has(name)) refuse(`it names ${name} twice`);
  variants.set(name, variant);
}

const boolVariant = (sign: string): Variant => ({
  ...{ values: [String(sign.startsWith('+'))], isBool: true, isExact: true, propagates: sign.length === 2 },
});

/** Reads `key=value`. Returns the parts of the node that are no variant and no flag. */
function keyed(
  key: string,
  word: Groups,
  variants: Map<string, Variant>,
  flags: Map<string, readonly Flag[]>,
): Partial<Spec> {
  const value = word['value']!.replace(/^(['"])(.*)\1$/s, '$2');
  const propagates = word['equals'] === '==';
  if (key === 'platform' || key === 'os') return { [key]: value };
  if (key === 'target') return { targets: knownTargets(value) };
  if (key === 'arch') {
    const [platform = '', os, ...target] = value.split('-');
    if (os === undefined || target.length === 0) refuse(`arch=${value} is not platform-os-target`);
    return { platform, os: os!, targets: knownTargets(target.join('-')) };
  }
  if (FLAGS.includes(key)) {
    const texts = value.split(/\s+/).filter(Boolean);
    flags.set(key, [...(flags.get(key) ?? []), ...texts.map((text) => ({ text, propagates }))]);
    return {};
  }
  const isBool = /^(true|false)$/i.test(value);
  const values = value === '*' ? [] : [...new Set(value.split(','))].sort();
  const found = isBool ? [value.toLowerCase()] : values;
  addVariant(variants, key, { values: found, isBool, isExact: isBool || word['exact'] === ':', propagates });
  return {};
}
