import { isDigest, short } from '../../model/digest.js';
import type { StepId } from '../../model/ids.js';
import type { KeyInput, KeyParts } from '../cache/step-key.js';

/** A changed field of a step key. `before` or `after` is null if the field was absent. */
export interface Changed {
  /** `params.run`, `inputs.source.artifacts.skiff.tar.digest`, `files.ci/build.sh`, `tools.mvn`. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The step whose result contains it, if any. */
  readonly from?: StepId;
}

/** Returns every changed field of a step's key, parameters first. */
export function changedFields(before: KeyParts, after: KeyParts): readonly Changed[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...now.keys(), ...old.keys()])];
  const changed = names
    .filter((name) => old.get(name)?.text !== now.get(name)?.text)
    .map((field): Changed => {
      const from = (now.get(field) ?? old.get(field))!.from;
      const [was, is] = [old.get(field)?.text ?? null, now.get(field)?.text ?? null];
      return { field, before: was, after: is, ...(from !== undefined && { from }) };
    });
  return changed.length === 0 && orderOf(before) !== orderOf(after)
    ? [{ field: 'inputs', before: orderOf(before), after: orderOf(after) }]
    : changed;
}

const orderOf = ({ inputs }: KeyParts): string => inputs.map(({ step }) => step).join(', ');

interface Leaf {
  readonly text: string;
  readonly from?: StepId;
}

function fieldsOf({ files, inputs, ...own }: KeyParts): ReadonlyMap<string, Leaf> {
  const { kind, params, told, toolchain, sourceEpoch, epoch, raised: epochs } = own;
  const fields = new Map<string, Leaf>();
  const pinned = typeof toolchain === 'object' ? toolchain : { toolchain };
  for (const [name, value] of Object.entries({ kind, params, ...told, ...pinned, sourceEpoch, epoch, epochs }))
    walk(name, value, (field, text) => fields.set(field, { text }));
  for (const { path, digest, executable } of files)
    fields.set(`files.${path}`, { text: `${short(digest)}${executable ? ', executable' : ''}` });
  for (const input of inputs) walkInput(input, (field, text) => fields.set(field, { text, from: input.step }));
  return fields;
}

function walkInput({ step, artifacts, facts }: KeyInput, put: (field: string, text: string) => void): void {
  const seen = new Map<string, number>();
  for (const { name, digest, kind, labels } of artifacts) {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    walk(`inputs.${step}.artifacts.${name}${times > 1 ? `#${times}` : ''}`, { digest, kind, labels }, put);
  }
  walk(`inputs.${step}.facts`, facts, put);
}

/** Visits leaves with their paths, without absent values. */
function walk(path: string, value: unknown, put: (field: string, text: string) => void): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') return put(path, textOf(value));
  if (Array.isArray(value)) {
    if (value.length === 0) put(path, '[]');
    return value.forEach((one, index) => walk(`${path}[${index}]`, one, put));
  }
  for (const [key, one] of Object.entries(value)) walk(`${path}.${key}`, one, put);
}

const textOf = (value: unknown): string =>
  isDigest(value) ? `sha256:${short(value)}` : typeof value === 'string' ? value : JSON.stringify(value);
