import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';

const CODE = /^([A-Z][A-Z0-9]*(_[A-Z0-9]+)+|UNEXPECTED|CANCELLED)$/;
const FIELDS = ['code', 'class', 'message', 'next'];

/** Returns the problems that a source file can make, as data: `{ code, class, message, next }`, the last three with all
 * their variants. A hole of a template reads `<name>`. */
export function problemsIn(file) {
  const nodes = nodesOf(file);
  const consts = new Map(
    nodes.filter(({ type }) => type === 'VariableDeclarator').map(({ id, init }) => [id.value, init]),
  );
  const makers = [...nodes, ...nodes.flatMap((node) => importedBy(node, file))].flatMap((node) => makersIn(node));
  return [...nodes, ...nodes.flatMap(rowsOf)].flatMap((node) => {
    const given = node.type === 'ObjectExpression' ? fieldsOf(node) : argumentsOf(node, makers);
    if (!FIELDS.every((name) => given[name] !== undefined)) return [];
    const [codes, ...others] = FIELDS.map((name) => variantsOf(given[name], consts));
    // Fields with as many variants as there are codes have them in the same order.
    const of = (texts, at) => (texts.length === codes.length ? [texts[at]] : texts);
    return codes.flatMap((code, at) => {
      const [kinds, message, next] = others.map((texts) => of(texts, at));
      return CODE.test(code) ? [{ code, class: kinds, message, next }] : [];
    });
  });
}

const nodesOf = (file) => [...below(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' }))];

/** Nodes of the file from which this node imports a function that makes problems. */
const importedBy = ({ type, source, specifiers = [] }, file) =>
  type === 'ImportDeclaration' && specifiers.some(({ local }) => local.value === 'config')
    ? nodesOf(join(dirname(file), source.value.replace(/js$/, 'ts')))
    : [];

function* below(node) {
  if (typeof node?.type === 'string') yield node;
  for (const value of Object.values(node ?? {})) if (typeof value === 'object') yield* below(value);
}

/** Values by the name of the property, also those of objects that are spread into this one. */
const fieldsOf = ({ properties }) =>
  Object.assign(
    {},
    ...properties.map((one) => {
      if (one.type === 'Identifier') return { [one.value]: one };
      if (one.type === 'KeyValueProperty') return { [one.key.value]: one.value };
      return one.arguments?.type === 'ObjectExpression' ? fieldsOf(one.arguments) : {};
    }),
  );

/** `const config = (spot, code, message, next) => ({ code, class: 'config', message, next })`: a function that makes
 * problems of its arguments. */
function makersIn({ type, id, init }) {
  if (type !== 'VariableDeclarator' || init?.type !== 'ArrowFunctionExpression') return [];
  const made = unwrapped(init.body);
  const fields = made.type === 'ObjectExpression' ? fieldsOf(made) : {};
  const names = init.params.map(({ value }) => value);
  return names.includes(fields.code?.value) ? [{ name: id.value, names, fields }] : [];
}

/** Calls that rows of a catalogue stand for: `catalogue(config, { tooBig: (bytes) => [code, message, next] })`, where the place comes
 * first, and the object that `problem.infra((file) => [code, message, next])` makes. */
function rowsOf({ type, callee, arguments: given }) {
  if (type !== 'CallExpression') return [];
  if (callee.value === 'catalogue')
    return given[1].expression.properties.map(({ value }) => ({
      ...{ type, callee: given[0].expression },
      arguments: [{}, ...unwrapped(value.body).elements],
    }));
  if (callee.object?.value !== 'problem' || given[0]?.expression.type !== 'ArrowFunctionExpression') return [];
  const [code, message, next] = unwrapped(given[0].expression.body).elements;
  const kind = { expression: { type: 'StringLiteral', value: callee.property.value } };
  const properties = Object.entries({ code, class: kind, message, next }).map(([name, { expression }]) => ({
    ...{ type: 'KeyValueProperty', key: { value: name }, value: expression },
  }));
  return [{ type: 'ObjectExpression', properties }];
}

function argumentsOf({ type, callee, arguments: given }, makers) {
  const maker = type === 'CallExpression' && makers.find(({ name }) => name === callee.value);
  if (!maker) return {};
  const valueOf = (field) => given[maker.names.indexOf(field?.value)]?.expression ?? field;
  return Object.fromEntries(FIELDS.map((name) => [name, valueOf(maker.fields[name])]));
}

const unwrapped = (node) =>
  ['ParenthesisExpression', 'TsAsExpression', 'TsConstAssertion'].includes(node.type)
    ? unwrapped(node.expression)
    : node;

/** Returns the texts of a field, each once. A parameter reads `<name>`. */
function variantsOf(expression, consts) {
  const texts = [...new Set(textsOf(expression, consts))];
  return texts.length > 0 || expression.type !== 'Identifier' ? texts : [`<${expression.value}>`];
}

/** Returns the texts that an expression can have. */
function textsOf(expression, consts) {
  const node = unwrapped(expression);
  const inside = (...parts) => parts.flatMap((part) => textsOf(part, consts));
  switch (node.type) {
    case 'StringLiteral':
      return [node.value];
    case 'TemplateLiteral':
      return [node.quasis.map(({ cooked }, at) => cooked + holeOf(node.expressions[at])).join('')];
    case 'ConditionalExpression':
      return inside(node.consequent, node.alternate);
    case 'BinaryExpression':
      return inside(node.left, node.right);
    case 'CallExpression':
      return inside(node.callee, ...node.arguments.map((one) => one.expression));
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? [] : inside(node.body);
    case 'MemberExpression':
      return inside(node.object);
    case 'ArrayExpression':
      return inside(...node.elements.map((one) => one.expression));
    case 'ObjectExpression':
      return inside(...Object.values(fieldsOf(node)));
    case 'Identifier':
      return consts.has(node.value) && consts.get(node.value) !== null ? inside(consts.get(node.value)) : [];
    default:
      return [];
  }
}

/** `short(seen.digest)` is told as `<digest>`. */
function holeOf(expression) {
  if (expression === undefined) return '';
  const names = [...namesIn(expression)];
  return `<${names.find((name) => !FUNCTIONS.has(name)) ?? names.at(-1) ?? 'value'}>`;
}
const FUNCTIONS = new Set(['JSON', 'String', 'Math', 'Date', 'short', 'shown']);
const METHODS = new Set(['length', 'join', 'map', 'slice']);

/** Names in their order; of `seen.digest` the last. */
function* namesIn(node) {
  if (node?.type === 'Identifier') yield node.value;
  else if (node?.type === 'MemberExpression' && node.property.type === 'Identifier') {
    const isPlain =
      !METHODS.has(node.property.value) && [...namesIn(node.object)].every((name) => !FUNCTIONS.has(name));
    yield* isPlain && isChain(node.object) ? [node.property.value] : namesIn(node.object);
  } else for (const value of Object.values(node ?? {})) if (typeof value === 'object') yield* namesIn(value);
}
const isChain = ({ type, object }) => type === 'Identifier' || (type === 'MemberExpression' && isChain(object));
