// Rules for imports of src/features: of its files, and of its lists elsewhere. Each message names both sides.
import { dirname, join, relative } from 'node:path/posix';

const PURE = ['engine', 'importers', 'model', 'plan'];
const pure = {
  like: 'plan',
  packages: ['@huggingface/jinja'],
  loads: [...PURE, './kinds', './pure', './schemas'],
  advice: 'it is pure: gather facts and act in `node/`',
};
/** Places of a feature's files. `like`: the room whose packages they may import. `loads`: rooms, and places of the same feature (`./`),
 * that they may import at run time. `packages`: those that only features need. */
export const PLACES = {
  kinds: {
    ...{ like: 'model', loads: [] },
    advice: 'the tables of the core load it before all else, so it imports types alone',
  },
  schemas: {
    like: 'model/schema',
    loads: ['model', './schemas'],
    advice: 'schemas of the core load it: write it as a leaf on `model`',
  },
  plan: pure,
  pure,
  workflows: {
    ...{ like: 'workflows', loads: ['engine', 'model', 'workflows', './pure'] },
    advice: 'it is bundled and replayed: decide in `pure/`, act in activities',
  },
  cli: {
    ...{ like: 'cli/commands', loads: ['cli', ...PURE, './pure'] },
    advice: 'each `slipway --help` would load it: import it in the command, by `await import`',
  },
  node: {
    like: 'adapters',
    loads: [
      ...[...PURE, 'activities', 'adapters', 'cli', 'client', 'services', 'workers'],
      ...['./kinds', './node', './pure', './schemas'],
    ],
    advice: 'workflows are bundled by path, and each program loads an entry file by its list',
  },
};

/** Files that load the list of a name. */
const PROGRAMS = /^(cli\/(main|open-ports)|workers\/(.+-)?main)\.ts$/;
const LOADERS = {
  kinds: /^model\//,
  schemas: /^model\/schema\//,
  workflows: /^workflows\/index\.ts$/,
  ...{ plan: PROGRAMS, node: PROGRAMS, cli: PROGRAMS },
};
/** Features that others build on. */
const SHARED = { clusters: ['campaigns', 'ray-tests'] };

/** Path below src/. Undefined outside. */
export const inSrc = (path) => path.split('/src/').slice(1).at(-1);
/** Feature and place of `features/locks/pure/drift.ts`. A list has a place and no feature. */
export function placeOf(path) {
  const [, feature, place] = /^features\/(?:([^/]+)\/)?([^/]+?)(?:\.ts$|\/)/.exec(path) ?? [];
  return { feature, place };
}

const isType = ({ importKind, exportKind, specifiers = [] }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type'));

/** @param isLater true in a function: the module is loaded when it is called */
function fault(file, source, { types, isLater }) {
  const { feature: own, place } = placeOf(file);
  const to = source.startsWith('.') ? relative('/', join('/', dirname(file), source)).replace(/\.js$/, '.ts') : source;
  const { feature: other, place: at } = placeOf(to);
  const from = `src/${file}`;
  const isShared = SHARED[other]?.includes(own) ?? false;
  if (own !== undefined && other !== undefined && other !== own && !isShared)
    return `${from} of feature "${own}" imports ${to} of feature "${other}": what both need belongs in the core.`;
  if (place === undefined && other !== undefined)
    return `${from} of the core imports ${to} of feature "${other}": the core imports the lists of src/features.`;
  if (types) return null;
  if (at !== undefined && other === undefined)
    return LOADERS[at]?.test(file)
      ? null
      : `${from} loads the list ${to}: take the features as an argument; programs and tables of the core load the list.`;
  if (place === undefined) return null;
  if (own === undefined)
    return at === place
      ? null
      : `${from} loads ${to}: this list loads the \`${place}.ts\` of each feature, and nothing else.`;
  const { loads, advice } = PLACES[place];
  const target = other === undefined ? to.split('/')[0] : `./${at}`;
  if (!source.startsWith('.') || loads.includes(target) || (place === 'cli' && isLater)) return null;
  return `${from} loads ${to}: ${advice}.`;
}

const NO_PLACE = `This file is in no place of a feature: use ${Object.keys(PLACES)
  .map((name) => ({ node: 'node.ts or node/', pure: 'pure/', schemas: 'schemas.ts or schemas/' })[name] ?? `${name}.ts`)
  .join(', ')}.`;

export const features = {
  meta: { type: 'problem' },
  create(context) {
    const file = inSrc((context.filename ?? '').replaceAll('\\', '/'));
    if (file === undefined) return {};
    if (file.startsWith('features/') && !(placeOf(file).place in PLACES))
      return { Program: (node) => context.report({ node, message: NO_PLACE }) };
    const check = (node, isLater) => {
      if (typeof node.source?.value !== 'string') return;
      const message = fault(file, node.source.value, { types: isType(node), isLater });
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: (node) => check(node, false),
      ExportNamedDeclaration: (node) => check(node, false),
      ExportAllDeclaration: (node) => check(node, false),
      ImportExpression: (node) => check(node, true),
    };
  },
};
