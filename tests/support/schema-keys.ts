import type { JsonObject } from '../../src/model/json.js';

/** A node of a JSON Schema. */
export type SchemaNode = JsonObject;

const nodesIn = (value: unknown): readonly SchemaNode[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as SchemaNode, ...Object.values(value).flatMap(nodesIn)];
};

/** The node itself and its alternatives. */
const alternatives = (node: SchemaNode): readonly SchemaNode[] => [
  node,
  ...['anyOf', 'oneOf', 'allOf'].flatMap((word) => ((node[word] ?? []) as SchemaNode[]).flatMap(alternatives)),
  ...(node['items'] === undefined ? [] : alternatives(node['items'] as SchemaNode)),
];

/** Schemas of the values that a key may have below any of the nodes. */
export const below = (nodes: readonly SchemaNode[], key: string): readonly SchemaNode[] =>
  nodes.flatMap(alternatives).flatMap((node) => {
    const named = (node['properties'] as Readonly<Record<string, SchemaNode>> | undefined)?.[key];
    const free = node['additionalProperties'];
    if (named !== undefined) return [named];
    return typeof free === 'object' && free !== null ? [free as SchemaNode] : [];
  });

/** Schemas of the values that a key may have anywhere in the schemas. */
export const anywhere = (schemas: readonly SchemaNode[], key: string): readonly SchemaNode[] =>
  schemas.flatMap(nodesIn).flatMap((node) => {
    const named = (node['properties'] as Readonly<Record<string, SchemaNode>> | undefined)?.[key];
    return named !== undefined && typeof named === 'object' ? [named] : [];
  });

/** Words that the schemas offer as a value: members of an enum, constants. */
export const values = (schemas: readonly SchemaNode[]): ReadonlySet<unknown> =>
  new Set(schemas.flatMap(nodesIn).flatMap((node) => [node['const'], ...((node['enum'] ?? []) as unknown[])]));
