import { join } from 'node:path';
import type { z } from 'zod';
import type { Approved, Bill, Evidence, Origin, Statement, Subject } from '../../model/evidence.js';
import { SlipwayFailure } from '../../model/failure.js';
import {
  ApprovalLine,
  ApprovalText,
  BillFile,
  EnvelopeFile,
  ManifestFile,
  StatementFile,
} from '../../model/schema/evidence.js';
import { namesIn, smallFile } from './files.js';
import type { TrustedKeys } from './keys.js';
import { sha256 } from '../sha256.js';

const MOST_BYTES = 256 << 20;
const MOST_LINES = 100;

/** Reads the evidence files of a folder. The folder is untrusted: an unreadable file becomes a fault. */
export async function readEvidence(folder: string, keys: TrustedKeys): Promise<Evidence> {
  const names = (await namesIn(folder)) ?? [];
  const faults: { file: string; why: string }[] = [];
  const each = async <T>(
    pattern: RegExp,
    read: (bytes: Buffer, file: string) => T | Promise<T>,
  ): Promise<readonly T[]> => {
    const found: T[] = [];
    for (const file of names.filter((name) => pattern.test(name)))
      try {
        found.push(await read(await smallFile(join(folder, file), MOST_BYTES), file));
      } catch (error) {
        faults.push({ file, why: whyOf(error) });
      }
    return found;
  };
  const [manifest = null] = await each(/^manifest\.json$/, readManifest);
  const [sums = null] = await each(/^SHA256SUMS$/, readSums);
  const signed = await each(/\.intoto\.jsonl$/, (bytes, file) => readEnvelopes(bytes, file, keys));
  const unsigned = await each(/\.provenance\.json$/, readUnsigned);
  const bills = await each(/\.cdx\.json$/, readBill);
  const approvals = await each(/approvals\.jsonl$/, (bytes) => readApprovals(bytes, keys));
  const statements = [...signed.flat(), ...unsigned];
  return { folder, manifest, sums, statements, bills, approvals: approvals.flat(), faults, keys: keys.names };
}

function readManifest(bytes: Buffer): Evidence['manifest'] {
  const { release, evidence: kept } = parsed(ManifestFile, bytes);
  return { digest: sha256(bytes), release: `${release.name} ${release.version}`, kept };
}

async function readEnvelopes(bytes: Buffer, file: string, keys: TrustedKeys): Promise<readonly Statement[]> {
  const lines = linesOf(bytes);
  return lines.map((line) => {
    const envelope = parsed(EnvelopeFile, line);
    const payload = Buffer.from(envelope.payload, 'base64');
    const claims = envelope.signatures.map(({ keyid }) => keyid);
    return { file, origin: originOf(parsed(StatementFile, payload)), signedBy: keys.signer(envelope, payload), claims };
  });
}

const readUnsigned = (bytes: Buffer, file: string): Statement => ({
  ...{ file, origin: originOf(parsed(StatementFile, bytes)), signedBy: null, claims: [] },
});

function originOf({ subject, predicate }: z.output<typeof StatementFile>): Origin {
  const { buildDefinition, runDetails } = predicate;
  const [source] = buildDefinition.resolvedDependencies;
  const { gitCommit, sha256: archive } = source!.digest;
  return {
    release: buildDefinition.externalParameters.release,
    ...buildDefinition.internalParameters,
    source: gitCommit === undefined ? `${source!.name} sha256:${archive}` : `commit ${gitCommit}`,
    subjects: subject.map(({ name, digest, annotations: { kind, step, isolation } = {} }) => ({
      ...{ name, digest },
      ...(kind !== undefined && { kind }),
      ...(step !== undefined && { step }),
      ...(isolation !== undefined && { isolation }),
    })),
    byproducts: runDetails.byproducts,
  };
}

const readBill = (bytes: Buffer, name: string): Bill => ({
  ...{ name, digest: sha256(bytes), components: parsed(BillFile, bytes).components.length },
});

function readSums(bytes: Buffer): readonly Subject[] {
  return linesOf(bytes, 200_000).map((line) => {
    const [, hex, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line.toString('utf8')) ?? [];
    if (hex === undefined) throw new SyntaxError('a line is no digest with a name');
    return { name: name!, digest: `sha256:${hex}` };
  });
}

const readApprovals = (bytes: Buffer, keys: TrustedKeys): Promise<readonly Approved[]> =>
  Promise.all(
    linesOf(bytes).map(async (line) => {
      const { text, signature } = parsed(ApprovalLine, line);
      const { by, ...said } = parsed(ApprovalText, Buffer.from(text));
      return { ...said, by: by ?? 'somebody', signedBy: await keys.approver(text, signature) };
    }),
  );

function linesOf(bytes: Buffer, most = MOST_LINES): readonly Buffer[] {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > most) throw new SyntaxError(`it has more than ${most} lines`);
  if (lines.length === 0) throw new SyntaxError('it is empty');
  return lines.map((line) => Buffer.from(line));
}

const parsed = <T extends z.ZodType>(schema: T, bytes: Buffer): z.output<T> =>
  schema.parse(JSON.parse(bytes.toString('utf8')));

/** Returns one line without file content, which is untrusted. */
function whyOf(error: unknown): string {
  if (error instanceof SlipwayFailure) return error.first.message;
  if (error instanceof Error && error.name === 'ZodError') return 'is not what its name says';
  return error instanceof SyntaxError ? 'is no JSON, or cut off' : 'cannot be read';
}
