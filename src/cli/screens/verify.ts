import type { Outcome, Trust } from '../../engine/ledger/trust.js';
import { short } from '../../model/digest.js';
import type { Evidence } from '../../model/evidence.js';
import { plain, type Colours } from '../render/paint.js';

/** Each file with its verdict, then the signers and the parts of the release. */
export function trustLines(
  evidence: Evidence,
  { outcome, files, statement }: Trust,
  paint: Colours,
): readonly string[] {
  const rows = files.map((one) => `${one.outcome.padEnd(8)} ${plain(one.file)}: ${plain(one.why)}`);
  const said = statement === null ? [] : releaseLines(evidence, statement.origin);
  return [
    ...rows,
    ...said.map((line) => `  ${plain(line)}`),
    paint.bold(`${outcome}: ${MEANS[outcome]}${nextOf(outcome, statement, evidence)}`),
  ];
}

const MEANS: Readonly<Record<Outcome, string>> = {
  good: 'a key that you trust signed exactly these bytes.',
  unknown: 'nothing that you trust says where this comes from.',
  foreign: 'somebody signed this, and none of the keys that you trust. Do not use it.',
  altered: 'something is not what is stated. Do not use it.',
};

/** Returns what is missing for a verdict. Empty if there is one. */
function nextOf(outcome: Outcome, statement: Trust['statement'], { keys }: Evidence): string {
  if (outcome !== 'unknown') return '';
  if (statement === null)
    return ' Put manifest.json and NAME-VERSION.intoto.jsonl of the release beside it, or name their folder with --from.';
  if (statement.claims.length === 0) return ' The project did not sign this release: ask it for a signed one.';
  return keys.length === 0 ? ' Give the key of the project with --key.' : '';
}

function releaseLines(evidence: Evidence, origin: NonNullable<Trust['statement']>['origin']): readonly string[] {
  const { manifest, bills } = evidence;
  const products = origin.subjects.filter(({ kind }) => kind !== undefined);
  const levels = [...new Set(products.flatMap(({ isolation }) => isolation ?? []))].sort();
  return [
    `${origin.release.name} ${origin.release.version}, built from ${origin.source}`,
    `isolation of builds: ${levels.length === 0 ? 'not stated' : levels.join(', ')}`,
    `manifest ${short(origin.manifest)}${manifest === null ? ', which is not here' : ''}: ${products.length} products`,
    ...bills.map(({ name, components }) => `${name}: ${components} components`),
    ...approvalLines(evidence, origin.manifest),
  ];
}

function approvalLines({ approvals }: Evidence, manifest: string): readonly string[] {
  if (approvals.length === 0) return ['approvals: none beside it'];
  return approvals.map(({ by, gate, decision, signedBy, manifest: of }) => {
    if (decision !== 'approve' || of !== manifest)
      return `not an approval of this manifest: ${decision} of ${short(of)} by ${by}`;
    return signedBy === null
      ? `gate ${gate}: ${by} is said to have approved; no trusted key signed it`
      : `gate ${gate}: approved by ${by}, key ${signedBy}`;
  });
}
