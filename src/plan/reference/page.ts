import type { JsonObject } from '../../model/json.js';
import { releaseFileSchema } from './json-schema.js';

/** The subset of JSON Schema that our schemas use. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly pattern?: string;
}

/** Text of docs/reference/release-file.md: every section and key, from the schemas. */
export function releaseFilePage(): string {
  const root = releaseFileSchema() as JsonObject as Node;
  const sections = Object.entries(root.properties ?? {}).filter(([name]) => name !== '$schema');
  return [
    '# The release file',
    '',
    'Every section and key of `slipway.yaml`, generated from the schemas that check it. `slipway schema` prints the same for editors.',
    '',
    '| section | holds |',
    '|---|---|',
    ...sections.map(([name, node]) => `| \`${name}\` | ${node.description ?? ''} |`),
    ...sections.flatMap(([name, node]) => section(name, node)),
    '',
  ].join('\n');
}

function section(name: string, node: Node): readonly string[] {
  const entry = entryOf(node);
  if (entry.length === 0) return [];
  const shape = isNamed(node) ? `${name}.NAME` : node.type === 'array' ? `${name}[]` : name;
  return [
    '',
    `## ${name}`,
    '',
    node.description ?? '',
    ...entry.flatMap((one, index) => table(shape, one, index, entry.length)),
  ];
}

const isNamed = (node: Node): boolean => typeof node.additionalProperties === 'object';

/** Returns the forms of an entry: one map of keys, or several alternatives. */
function entryOf(node: Node): readonly Node[] {
  if (node.anyOf) return node.anyOf.flatMap(entryOf);
  if (node.properties) return [node];
  const inner = isNamed(node) ? (node.additionalProperties as Node) : node.items;
  return inner ? entryOf(inner) : [];
}

function table(shape: string, node: Node, index: number, of: number): readonly string[] {
  const rows = Object.entries(node.properties ?? {}).flatMap(([key, value]) => row(key, value, node.required ?? []));
  if (rows.length === 0) return [];
  const title = of === 1 ? `\`${shape}:\`` : index === 0 ? `\`${shape}:\` either` : 'or';
  return ['', title, '', '| key | is | default | means |', '|---|---|---|---|', ...rows];
}

function row(key: string, node: Node, required: readonly string[]): readonly string[] {
  const usual =
    node.default === undefined ? (required.includes(key) ? '**needed**' : '') : `\`${JSON.stringify(node.default)}\``;
  const own = `| \`${key}\` | ${typeOf(node)} | ${usual} | ${cell(node.description ?? '')} |`;
  const inner = node.properties ?? node.anyOf?.find((one) => one.properties)?.properties ?? {};
  const below = Object.entries(inner).flatMap(([name, value]) => row(`${key}.${name}`, value, []));
  return [own, ...below];
}

function typeOf(node: Node): string {
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  if (node.items) return `list of ${typeOf(node.items)}`;
  if (typeof node.additionalProperties === 'object') return `map of ${typeOf(node.additionalProperties)}`;
  return { string: 'text', integer: 'number', boolean: 'true or false', object: 'map' }[node.type ?? ''] ?? 'text';
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
