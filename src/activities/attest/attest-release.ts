import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { billOfMaterials, type Lock } from '../../engine/ledger/bill.js';
import type { Manifest } from '../../engine/ledger/manifest.js';
import { checksums, STATEMENT_TYPE, statementOf } from '../../engine/ledger/provenance.js';
import type { Artifact } from '../../model/artifact.js';
import { digestOf } from '../../model/digest.js';
import { canonical } from '../../model/json.js';
import { readText } from '../read-text.js';
import { readSealed } from '../seal/sealed.js';
import type { Body, Work } from '../work.js';
import { envelop, signerOf } from './envelope.js';
import { sha256 } from '../sha256.js';

type AttestWork = Work<'attestRelease'>;
/** Makes `SHA256SUMS`, a CycloneDX bill of materials from the locks, and an in-toto provenance statement. The statement
 * is signed if the profile names a key. */
export const createAttestRelease = (): Body<'attestRelease'> => async (work) => {
  const { manifest, digest: manifestDigest } = await readSealed(work);
  const planDigest = digestOf(work.plan, sha256);
  const { name, version } = work.plan.release;
  const bill = billOfMaterials(work.plan, await locksOf(work, manifest));
  const billed = await keepText(work, `${name}-${version}.cdx.json`, `${canonical(bill)}\n`);
  const attested = { plan: work.plan, planDigest, manifest, manifestDigest, byproducts: [billed] };
  const statement = statementOf(attested);
  const signed = await signedOr(work, canonical(statement));
  const subjects = manifest.artifacts.length + 1;
  return {
    artifacts: [
      await keepText(work, 'SHA256SUMS', checksums(attested)),
      await keepText(work, signed.name, signed.text),
      billed,
    ],
    facts: { manifest: manifestDigest, subjects, keyid: signed.keyid },
    note: `${subjects} subjects, ${signed.keyid === null ? 'not signed: the profile names no attest.key' : `signed by ${signed.keyid.slice(0, 12)}`}`,
  };
};

/** Returns the bare statement without a key, else a signed DSSE envelope. The file name says which. */
async function signedOr(
  work: AttestWork,
  statement: string,
): Promise<{ readonly name: string; readonly text: string; readonly keyid: string | null }> {
  const { key } = work.step.params;
  const { name, version } = work.plan.release;
  if (key === null) return { name: `${name}-${version}.provenance.json`, text: `${statement}\n`, keyid: null };
  const signer = signerOf(await work.secret(key), key);
  const envelope = envelop(Buffer.from(statement), STATEMENT_TYPE, signer);
  return { name: `${name}-${version}.intoto.jsonl`, text: `${canonical(envelope)}\n`, keyid: signer.keyid };
}

async function locksOf({ store }: AttestWork, { evidence }: Manifest): Promise<readonly Lock[]> {
  const locks = evidence.filter(({ kind }) => kind === 'lock' || kind === 'buildLock');
  return await Promise.all(locks.map(async ({ name, digest }) => ({ name, text: await readText(store, digest) })));
}

async function keepText(work: AttestWork, name: string, text: string): Promise<Artifact> {
  const path = join(work.folder, name);
  await writeFile(path, text);
  return work.keep(path, 'file');
}
