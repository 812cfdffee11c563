import { join } from 'node:path';
import type { Artifact } from '../../../model/artifact.js';
import { counted } from '../../../model/counted.js';
import { fail } from '../../../model/failure.js';
import { records } from '../../../model/run-folder.js';
import type { Stored } from '../../ports.js';
import type { Body, Work } from '../../work.js';
import { nothingToSign } from './errors.js';
import { withGpg, type Gpg } from './gpg.js';

type Signing = Work<'signFiles'>;

/** Makes a verified `.asc` for each input file. OpenPGP signatures of equal bytes differ. So the first signature by a
 * key is recorded, and all runs reuse it. Another key makes its own. */
export const createSignFiles = (): Body<'signFiles'> =>
  async function signFiles(work) {
    const files = work.artifacts('jar').filter(({ name }) => !name.endsWith('.asc'));
    if (files.length === 0) throw fail(nothingToSign(work.step.id));
    return withGpg(work, async (gpg) => {
      const signed: Signature[] = [];
      for (const [index, file] of files.entries()) signed.push(await signatureOf(work, gpg, file, String(index)));
      const fresh = signed.filter(({ isNew }) => isNew).length;
      return {
        artifacts: signed.map(({ artifact }) => artifact),
        facts: { fingerprint: gpg.fingerprint },
        note: `${counted(files.length, 'file')} signed by ${gpg.fingerprint.slice(-16)}`,
        reused: fresh === 0,
      };
    });
  };

interface Signature {
  readonly artifact: Artifact;
  readonly isNew: boolean;
}

async function signatureOf(work: Signing, gpg: Gpg, file: Artifact, folder: string): Promise<Signature> {
  const path = await work.fetch(file, join(work.folder, folder));
  const record = records.signature(gpg.fingerprint, file.digest);
  const known = await wholeOf(work, record);
  const stored = known ?? (await signNow(work, gpg, path, record));
  const signature = join(work.folder, folder, 'verified', `${file.name}.asc`);
  await work.store.fetch(stored.digest, signature);
  await gpg.verify(path, signature);
  const labels = { ...file.labels, extension: `${file.labels['extension'] ?? 'jar'}.asc` };
  return { artifact: { ...stored, kind: 'jar', name: `${file.name}.asc`, labels }, isNew: known === null };
}

/** Returns the recorded signature. Null without a record or if its bytes are gone. */
async function wholeOf({ store }: Signing, record: string): Promise<Stored | null> {
  const known = await store.read<Stored>(record);
  return known !== null && (await store.has(known.digest)) ? known : null;
}

async function signNow({ store }: Signing, gpg: Gpg, path: string, record: string): Promise<Stored> {
  await gpg.sign(path, `${path}.asc`);
  const { digest, size } = await store.putFile(`${path}.asc`);
  const { value } = await store.create(record, { digest, size });
  return (await store.has(value.digest)) ? value : { digest, size };
}
