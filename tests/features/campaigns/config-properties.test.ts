import { configure } from '../../../src/features/campaigns/pure/config/configure.js';
import { sourcesIn } from '../../../src/features/campaigns/pure/config/why.js';
import { lintPresets } from '../../../src/features/campaigns/pure/settings.js';
import { isPath, pathText, readPath } from '../../../src/features/campaigns/pure/config/path.js';
import { jsonOf, type Tree } from '../../../src/importers/pyyaml/tree.js';
import type { Json } from '../../../src/model/json.js';
import { fc } from '../../support/fixed-seed.js';
import { read, sound, valueIn } from './a-config.js';

const KEYS = ['a', 'b', 'c-d', 'x.y'];
const key = fc.constantFrom(...KEYS);
const scalar = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('t', 'on', ''),
);
/** A document whose leaves take any value: null. */
const { map } = fc.letrec<{ map: Json; leaf: Json }>((tie) => ({
  leaf: fc.constant(null),
  map: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('map')), {
    minKeys: 1,
    maxKeys: 4,
  }) as never,
}));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
/** Values of one type, for leaves that several presets assign. */
const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(null));

const pathsOf = (json: Json, top: readonly (string | number)[] = []): string[] =>
  json !== null && typeof json === 'object'
    ? Object.entries(json).flatMap(([name, inner]) =>
        pathsOf(inner ?? null, [...top, Array.isArray(json) ? Number(name) : name]),
      )
    : [pathText(top)];

interface World {
  readonly document: Json;
  readonly presets: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}
/** A document, and presets that assign to leaves of it; a later one may extend earlier ones. */
const world: fc.Arbitrary<World> = map.chain((document) => {
  const path = fc.constantFrom(...pathsOf(document));
  const assignments = fc.dictionary(path, number, { maxKeys: 4 });
  const extended = (at: number) => fc.subarray(['p0', 'p1', 'p2'].slice(0, at), { maxLength: Math.min(at, 2) });
  const preset = (at: number) =>
    fc.tuple(assignments, extended(at)).map(([own, from]) => ({ ...own, ...(from.length > 0 && { extends: from }) }));
  return fc
    .tuple(preset(0), preset(1), preset(2))
    .map(([p0, p1, p2]) => ({ document, presets: { p0, p1, p2 } as World['presets'] }));
});
const textOf = ({ document, presets }: World): string => JSON.stringify({ ...(document as object), presets });
const chosen = fc.uniqueArray(fc.constantFrom('p0', 'p1', 'p2'), { minLength: 1 });

const frozen = (tree: Tree): Tree => {
  if (tree.kind === 'list') tree.items.forEach(frozen);
  if (tree.kind === 'dict') for (const one of tree.keys.values()) frozen(Object.freeze(one).value);
  return Object.freeze(tree);
};

test('given layers, then none changes the input of another', () =>
  fc.assert(
    fc.property(world, chosen, (one, preset) => {
      const opened = read(textOf(one)).opened!;
      const before = JSON.stringify(jsonOf(frozen(opened.doc.tree)));
      const { document } = sound(textOf(one), { preset }).record();
      expect(configure(opened, { preset }).configuration.record().document).toEqual(document);
      lintPresets(opened);
      expect(configure(opened, { preset }).configuration.record().document).toEqual(document);
      expect(JSON.stringify(jsonOf(opened.doc.tree))).toBe(before);
    }),
  ));

test('given presets, when they are applied twice, then the document is that of once', () =>
  fc.assert(
    fc.property(world, fc.constantFrom('p0', 'p1', 'p2'), (one, name) => {
      const once = sound(textOf(one), { preset: [name] }).record().document;
      expect(sound(textOf(one), { preset: [name, name] }).record().document).toEqual(once);
    }),
  ));

test('given overrides of different leaves in another order, then the document is the same', () =>
  fc.assert(
    fc.property(world, fc.infiniteStream(value), fc.infiniteStream(fc.nat()), (one, values, order) => {
      const set = pathsOf(one.document).map((path) => `${path}=${JSON.stringify(values.next().value)}`);
      const shuffled = set.map((text) => ({ text, at: order.next().value })).sort((a, b) => a.at - b.at);
      const other = shuffled.map(({ text }) => text);
      expect(sound(textOf(one), { set: other }).record().document).toEqual(
        sound(textOf(one), { set }).record().document,
      );
    }),
  ));

test('given any configuration, then each leaf has exactly one last source, which says its value', () =>
  fc.assert(
    fc.property(world, chosen, (one, preset) => {
      const configuration = sound(textOf(one), { preset });
      const { document, assignments } = configuration.record();
      for (const path of pathsOf(document)) {
        const leaf = valueIn(configuration, path);
        const last = sourcesIn(assignments, path).at(-1)!;
        const inner = readPath(path) as readonly (string | number)[];
        const top = readPath(last.path) as readonly (string | number)[];
        const said = inner.slice(top.length).reduce((at, name) => (at as never)[name], last.value);
        expect(said).toEqual(leaf);
      }
    }),
  ));

test('given any keys, then the path that is read from their text has the same keys', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 9 }),
          fc.constantFrom('\n', '\\n', '\u2028', '\ud800', '"'),
          fc.nat(999_999),
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      (path) => expect(readPath(pathText(path))).toEqual(path),
    ),
    { numRuns: 2_000 },
  ));

test('given any text, then the parser of paths returns a path or a column in it', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab.-"\'[]0*$\\ ') })), (text) => {
      const found = readPath(text);
      if (isPath(found)) expect(readPath(pathText(found))).toEqual(found);
      else expect(found.column).toBeLessThanOrEqual(text.length + 1);
    }),
    { numRuns: 2_000 },
  ));

test('given any text as a file, as an option or as a model, then it is read or refused', () =>
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...'abp:{}[]\n -&*@!"\'#,0.', 'presets:\n ', 'extends: ', '<<: '),
        maxLength: 80,
      }),
      (text) => {
        const one = 'a: { b: 1 }\nl: [1]\npresets: { p: { a.b: 2 } }\n';
        expect(Array.isArray(read(text, { preset: ['p'] }).problems)).toBe(true);
        expect(Array.isArray(read(one, { set: [text, `a.b=${text}`, `l=${text}`] }).problems)).toBe(true);
        expect(Array.isArray(read(one, { models: { a: 'm' }, files: { m: text } }).problems)).toBe(true);
      },
    ),
    { numRuns: 150 },
  ));
