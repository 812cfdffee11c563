import { ARTIFACT_KINDS } from './artifact.js';
import * as is from './check.js';
import { isDigest } from './digest.js';
import { hidesText, nameFault } from './file-name.js';
import { KINDS } from './kinds.js';

/** Limit of the values in all facts together. */
const MOST_VALUES = 200_000;
const DEEPEST = 32;

const digest: is.Check = (value) => (isDigest(value) ? null : 'is no SHA-256 digest');

/** Labels are parts of paths and addresses: `com.example`, `linux-x86_64`. */
const label: is.Check = (value) => {
  const fault = is.text(2000)(value);
  if (fault !== null) return fault;
  if (hidesText(value as string)) return 'has characters that control or hide text';
  return (value as string).split(/[/\\]/).some((part) => part === '..' || part === '.')
    ? 'leads to another folder'
    : null;
};

/** An image has the name of its project, which may have folders: `ray/serve`. */
const imageName: is.Check = (value) =>
  is.text(255)(value) ??
  (value as string)
    .split('/')
    .map(nameFault)
    .find((fault) => fault !== null) ??
  null;

const shaped = is.shape({ digest, kind: is.oneOf(...ARTIFACT_KINDS), size: is.whole(), labels: is.table(label, 200) });

const artifact: is.Check = (value) => {
  const fault = shaped(value);
  if (fault !== null) return fault;
  const { kind, name } = value as { readonly kind: string; readonly name: unknown };
  const named = kind === 'image' ? imageName(name) : nameFault(name);
  return named === null ? null : `.name ${JSON.stringify(name)?.slice(0, 100)} ${named}`;
};

const facts: is.Check = (value) => {
  if (!is.isObject(value)) return 'is no object';
  return sizeOf(value, 0) > MOST_VALUES ? 'holds too much, or too deep' : null;
};

/** Number of values inside. Infinity beyond the depth limit. */
function sizeOf(value: unknown, depth: number): number {
  if (depth > DEEPEST) return Infinity;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 1;
  for (const one of Object.values(value)) if ((sum += sizeOf(one, depth + 1)) > MOST_VALUES) break;
  return sum;
}

const finding = is.shape({
  level: is.oneOf('error', 'warning', 'note'),
  code: is.text(100),
  subject: is.text(),
  why: is.text(),
  next: is.text(),
});

/** Checks a `Result` that a worker wrote into the store. */
export const resultFault = is.shape({
  step: is.text(300),
  kind: is.oneOf(...Object.keys(KINDS)),
  key: digest,
  artifacts: is.list(artifact, 20_000),
  facts,
  findings: is.list(finding, 20_000),
  note: is.text(),
  made: is.shape({
    run: is.text(300),
    attempt: is.whole(),
    at: is.text(100),
    ms: is.milliseconds,
    worker: is.text(300),
  }),
});
