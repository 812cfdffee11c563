import { Document, Scalar, visit } from 'yaml';
import type { Json, JsonObject } from '../../../../model/json.js';

const PLAIN = /^[A-Za-z$/][\w./@$+~-]*(?: [\w./@$+~-]+)*$/;
/** GitLab reads YAML 1.1: `yes` is a text in quotes alone. */
const WORD_OF_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** Prints a pipeline, its keys sorted. Equal parts are written once, with an anchor: a pipeline of hundreds of jobs stays small. */
export function pipelineText(pipeline: JsonObject): string {
  const sorted = Object.keys(pipeline)
    .sort()
    .map((key) => [key, pipeline[key]] as const);
  const document = new Document(shared(Object.fromEntries(sorted)));
  const anchors = new Map<string, string>();
  visit(document, {
    Scalar: (_, node) => {
      const isPlain = PLAIN.test(String(node.value)) && !WORD_OF_YAML.test(String(node.value));
      if (typeof node.value === 'string') node.type = isPlain ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
    },
    Collection: (_, node) => {
      if (node.anchor === undefined) return;
      anchors.set(node.anchor, `id${anchors.size + 1}`);
      node.anchor = anchors.get(node.anchor)!;
    },
    Alias: (_, node) => void (node.source = anchors.get(node.source)!),
  });
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
}

/** Returns a copy in which equal parts are one. */
function shared(pipeline: JsonObject): Json {
  const known = new Map<string, Json>();
  return JSON.parse(JSON.stringify(pipeline), (_, part: Json): Json => {
    if (part === null || typeof part !== 'object' || Object.keys(part).length === 0) return part;
    const text = JSON.stringify(part);
    if (!known.has(text)) known.set(text, part);
    return known.get(text)!;
  }) as Json;
}
