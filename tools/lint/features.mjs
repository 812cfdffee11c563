// What files of src/features may import. Each message names both sides.
import { dirname, join, relative } from 'node:path/posix';

/** Files that `cli.ts` may load: each `slipway --help` loads them. */
const LIGHT = /^(cli|engine|model|plan|features\/[^/]+\/pure)\//;

/** Path below src/. Undefined outside. */
const inSrc = (path) => /\/src\/(.*)$/.exec(path)?.[1];
/** Feature and file of a path below src/: `features/locks/kinds.ts`. A list is no file of a feature. */
const featureOf = (path) => /^features\/([^/]+)\/(.+)$/.exec(path ?? '')?.slice(1) ?? [];

const isType = ({ importKind, exportKind, specifiers = [] }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type'));

/** @param isLater true in a function: the module is loaded when it is called */
function fault(file, source, { types, isLater }) {
  const [own, entry] = featureOf(file);
  const to = source.startsWith('.') ? relative('/', join('/', dirname(file), source)).replace(/\.js$/, '.ts') : source;
  const [other] = featureOf(to);
  const from = `src/${file}`;
  if (own !== undefined && other !== undefined && other !== own)
    return `${from} of feature "${own}" imports ${to} of feature "${other}": what both need belongs in the core.`;
  if (own === undefined && other !== undefined && !file.startsWith('features/'))
    return `${from} of the core imports ${to} of feature "${other}": the core imports the lists of src/features.`;
  if (types) return null;
  if (entry === 'kinds.ts')
    return `${from} imports ${to} at run time: the tables of the core load it before all else, so it imports types alone.`;
  if (entry === 'cli.ts' && !isLater && !LIGHT.test(to))
    return `${from} loads ${to}, which each \`slipway --help\` would load: import it in the command, by \`await import\`.`;
  return null;
}

export const features = {
  meta: { type: 'problem' },
  create(context) {
    const file = inSrc((context.filename ?? '').replaceAll('\\', '/'));
    if (file === undefined) return {};
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
