import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DoctorCheck, ill, well } from '../../../services/doctor/check.js';

const FILE = 'approved-licences';

/** Returns licences that may be shipped: lines of a file in the home of the machine that plans. */
export const readApproved = async (home: string): Promise<readonly string[]> =>
  (await readFile(join(home, FILE), 'utf8').catch(() => '')).split('\n').filter(Boolean);

export const checkApproved: DoctorCheck = async ({ home }) => {
  const known = (await readApproved(home)).join(', ');
  return [known ? well('licences', known) : ill('licences', `none in ${FILE}`, `echo MIT > ${join(home, FILE)}`)];
};
