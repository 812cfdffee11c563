import { short } from '../../model/digest.js';
import type { Downloaded, Evidence, Origin, Statement, Subject } from '../../model/evidence.js';

/** good: a trusted key signed exactly these bytes under this name. altered: something differs from its statement.
 * foreign: only untrusted keys signed. unknown: no statement about its origin. */
export const OUTCOMES = ['good', 'unknown', 'foreign', 'altered'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Judged {
  readonly file: string;
  readonly outcome: Outcome;
  readonly why: string;
}
export interface Trust {
  readonly outcome: Outcome;
  readonly files: readonly Judged[];
  readonly statement: Statement | null;
}

const MANIFEST = 'manifest.json';
const worst = (all: readonly Outcome[]): Outcome => OUTCOMES[Math.max(0, ...all.map((one) => OUTCOMES.indexOf(one)))]!;

/** Judges downloaded files by the evidence beside them. Pure. A statement counts only with a trusted signature. */
export function judgeTrust(evidence: Evidence, files: readonly Downloaded[]): Trust {
  const statement = statementFor(evidence);
  const standing = standingOf(evidence, statement);
  const judged = [
    ...evidence.faults.map(({ file, why }): Judged => ({ file, outcome: 'altered', why })),
    ...(statement === null ? [] : ownFaults(evidence, statement.origin)),
    ...files.map((file) => judge(file, statement, standing, evidence.manifest?.kept ?? [])),
  ];
  const outcome = judged.length === 0 ? 'unknown' : worst([standing.outcome, ...judged.map((one) => one.outcome)]);
  return { outcome, files: judged, statement };
}

/** Returns the signed statement about this manifest, else any signed one, else the first. */
function statementFor({ statements, manifest }: Evidence): Statement | null {
  const signed = statements.filter(({ signedBy }) => signedBy !== null);
  const pool = signed.length > 0 ? signed : statements;
  return pool.find(({ origin }) => origin.manifest === manifest?.digest) ?? pool[0] ?? null;
}

interface Standing {
  readonly outcome: Outcome;
  readonly why: string;
}

function standingOf({ keys }: Evidence, statement: Statement | null): Standing {
  if (statement === null) return { outcome: 'unknown', why: 'no statement of origin is beside it' };
  const { signedBy, claims, file } = statement;
  if (signedBy !== null) return { outcome: 'good', why: `signed by ${signedBy}` };
  if (claims.length === 0) return { outcome: 'unknown', why: `${file} carries no signature` };
  const by = claims.map((one) => one.slice(0, 12)).join(', ');
  if (keys.length === 0) return { outcome: 'unknown', why: `no key is trusted: ${file} names ${by}` };
  return { outcome: 'foreign', why: `${file} names the key ${by}, and none of the trusted keys signed it` };
}

function ownFaults({ manifest, sums, bills }: Evidence, origin: Origin): readonly Judged[] {
  const release = `${origin.release.name} ${origin.release.version}`;
  const stated = new Map([...origin.subjects, ...origin.byproducts].map((one) => [`${one.name} ${one.digest}`, one]));
  const faults: Judged[] = [];
  const add = (file: string, why: string): void => void faults.push({ file, outcome: 'altered', why });
  const itself = origin.subjects.find(({ name }) => name === MANIFEST);
  if (itself?.digest !== origin.manifest) add('statement', 'it names two manifests');
  if (manifest !== null && manifest.digest !== origin.manifest)
    add(
      MANIFEST,
      `is ${short(manifest.digest)} of ${manifest.release}; stated is ${short(origin.manifest)} of ${release}`,
    );
  else if (manifest !== null && manifest.release !== release)
    add(MANIFEST, `is of ${manifest.release}, not of ${release}`);
  const strange = sums?.find(({ name, digest }) => !stated.has(`${name} ${digest}`));
  if (strange) add('SHA256SUMS', `lists ${strange.name} with ${short(strange.digest)}, which is not stated`);
  for (const { name, digest } of bills)
    if (!stated.has(`${name} ${digest}`)) add(name, 'is not the bill of materials that is stated');
  return faults;
}

function judge(
  { path, name, digest }: Downloaded,
  statement: Statement | null,
  { outcome, why }: Standing,
  kept: readonly Subject[],
): Judged {
  if (statement === null) return { file: path, outcome, why };
  const { subjects, byproducts } = statement.origin;
  const all = [...subjects, ...byproducts];
  const same = all.filter((one) => one.digest === digest);
  const itself = same.find((one) => one.name === name);
  if (itself !== undefined) return { file: path, outcome, why: `${saidOf(itself)}; ${why}` };
  if (same.length > 0) return { file: path, outcome: 'altered', why: `these are the bytes of ${same[0]!.name}` };
  const stated = all.find((one) => one.name === name);
  const sealed = kept.find((one) => one.digest === digest);
  const said = sealed && `${MANIFEST} seals ${sealed.name} as evidence, and the statement does not list it`;
  if (stated === undefined) return { file: path, outcome: 'unknown', why: said ?? 'the release has no such file' };
  return { file: path, outcome: 'altered', why: `has ${short(digest)}; stated is ${short(stated.digest)}` };
}

const saidOf = ({ digest, step, isolation }: Subject): string =>
  [
    `sha256 ${short(digest)} as stated`,
    ...(step === undefined ? [] : [`made by ${step}`]),
    ...(isolation === undefined ? [] : [`isolation ${isolation}`]),
  ].join(', ');
