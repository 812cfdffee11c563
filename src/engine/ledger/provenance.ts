import { order } from '../../model/order.js';
import type { Artifact } from '../../model/artifact.js';
import { type Digest, hexOf } from '../../model/digest.js';
import type { JsonObject } from '../../model/json.js';
import type { Plan } from '../../model/plan.js';
import type { SourceRef } from '../../model/params.js';
import type { Manifest, SealedArtifact } from './manifest.js';
import { ownSourcesOf } from '../../model/sources.js';

/** Media type of a statement inside an envelope. */
export const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** Inputs of a statement. The digests are those of the bytes of manifest and plan. */
export interface Attested {
  readonly plan: Pick<Plan, 'release' | 'profile' | 'source' | 'steps'>;
  readonly planDigest: Digest;
  readonly manifest: Manifest;
  readonly manifestDigest: Digest;
  /** Files made beside the products: the bill of materials. */
  readonly byproducts: readonly Pick<Artifact, 'name' | 'digest'>[];
}

/** Makes an in-toto Statement v1 with SLSA Provenance v1. Its subjects are every sealed product and the manifest, so
 * that an approval of the manifest covers the statement. It has no time, run or machine: the same release has the same
 * statement. */
export function statementOf({ plan, planDigest, manifest, manifestDigest, byproducts }: Attested): JsonObject {
  const manifestItself = { name: MANIFEST, digest: sha256(manifestDigest) };
  const build = {
    buildType: 'urn:slipway:release:1',
    externalParameters: { release: { ...plan.release }, profile: { ...plan.profile } },
    internalParameters: { plan: sha256(planDigest), manifest: sha256(manifestDigest) },
    resolvedDependencies: [...sourcesOf(plan), ...manifest.evidence.filter(isLock).map(subject)],
  };
  const made = { byproducts: byproducts.map(({ name, digest }) => ({ name, digest: sha256(digest) })) };
  return inToto([manifestItself, ...manifest.artifacts.map(subject)], build, made);
}

const MANIFEST = 'manifest.json';
const isLock = ({ kind }: SealedArtifact): boolean => kind === 'lock' || kind === 'buildLock';

/** The subject of an image has its repository's name, that of a file its own. */
const subject = ({ name, digest, kind, step, isolation, source }: SealedArtifact): JsonObject => ({
  name,
  digest: sha256(digest),
  annotations: {
    ...{ kind, step },
    ...(isolation !== undefined && { isolation }),
    ...(source !== undefined && { source: digestOf(source) }),
  },
});

/** The main source, then the named ones. */
const sourcesOf = (plan: Attested['plan']): readonly JsonObject[] => [
  ...(plan.source.kind === 'none' ? [] : [sourceOf(plan.source, 'source')]),
  ...ownSourcesOf(plan).map(({ step, ref }) => sourceOf(ref, step)),
];

/** The digest identifies the source. Its address is local to this machine. */
const sourceOf = (source: SourceRef, name: string): JsonObject =>
  source.kind === 'git'
    ? { name, digest: digestOf(source), ...folderOf(source.folder) }
    : { name: `${source.name}-${source.version}`, digest: digestOf(source) };

const digestOf = (source: SourceRef): JsonObject =>
  source.kind === 'git' ? { gitCommit: source.commit } : { sha256: source.sha256 };

const folderOf = (folder: string | undefined): JsonObject => (folder === undefined ? {} : { annotations: { folder } });

/** Returns lines for `sha256sum --check`: every sealed file and the manifest, sorted, without images. */
export function checksums({ manifest, manifestDigest }: Pick<Attested, 'manifest' | 'manifestDigest'>): string {
  const files = [
    ...manifest.artifacts.filter(({ kind }) => kind !== 'image'),
    { name: MANIFEST, digest: manifestDigest },
  ];
  const lines = files.sort((a, b) => order(a.name, b.name) || order(a.digest, b.digest)).map(lineOf);
  return [...new Set(lines)].join('');
}

const lineOf = ({ name, digest }: Pick<SealedArtifact, 'name' | 'digest'>): string => `${hexOf(digest)}  ${name}\n`;

/** Makes an in-toto Statement v1 with SLSA Provenance v1.
 * @param build the `buildDefinition`
 * @param made fields of `runDetails` besides the builder */
export const inToto = (subject: readonly JsonObject[], build: JsonObject, made: JsonObject = {}): JsonObject => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject,
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: { buildDefinition: build, runDetails: { builder: { id: 'urn:slipway:engine:1' }, ...made } },
});

export const sha256 = (digest: Digest): JsonObject => ({ sha256: hexOf(digest) });
