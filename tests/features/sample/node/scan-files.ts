import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '../../../activities/work.js';
import { fail } from '../../../model/failure.js';
import { canonical } from '../../../model/json.js';
import { licenceNotAllowed } from '../pure/errors.js';
import { licenceIn, type Scanned, scannedRecord } from '../pure/scan.js';

/** Reads the files of the steps that it needs. Leaves a record of each file, and one report. */
export const scanFiles: Body<'scanFiles'> = async (work) => {
  const { allow, report } = work.step.params;
  const found: Scanned[] = [];
  for (const file of work.artifacts('file')) {
    const text = await readFile(await work.fetch(file, work.folder), 'utf8');
    const one = { file: file.name, licence: licenceIn(text) };
    await work.effect(() => work.store.create(scannedRecord(file.digest), one));
    found.push(one);
  }
  const refused = found.filter(({ licence }) => licence === null || !allow.includes(licence));
  if (refused.length > 0) throw fail(refused.map(({ file, licence }) => licenceNotAllowed(file, licence, allow)));
  const path = join(work.folder, report);
  await writeFile(path, canonical(found));
  const [files, artifact] = [found.length, await work.keep(path, 'file')];
  return { artifacts: [artifact], facts: { files }, note: `${files} licences read` };
};
