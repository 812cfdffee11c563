import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { plan as planned } from '../../plan/plan.js';
import { policyDraft } from '../../plan/policy/draft.js';
import type { Features } from '../../activities/plan/ports.js';
import { gatherFacts, NO_PAST } from '../facts/index.js';
import { policyExists, policyUnreadable } from './errors.js';

/** Returns a draft policy for a release file. The approvers' keys are beside that file. */
export async function draftPolicy(file: string, profile: string, features: Features): Promise<string> {
  const gathered = await gatherFacts(file, profile, process.cwd(), {}, { ...NO_PAST, ...features });
  const plan = planned(gathered.file, gathered.facts);
  const paths = plan.steps
    .flatMap((step) => (step.kind === 'passGate' ? step.params.approvers : []))
    .map(({ key }) => key);
  const texts = paths.map(async (path) => [path, await readFile(join(gathered.folder, path), 'utf8')] as const);
  const keys = Object.fromEntries(await Promise.all(texts));
  return policyDraft({ file, plan, branches: gathered.file.content.release?.branches ?? [], keys });
}

/** Writes a new policy, readable by its owner alone. Throws POLICY_EXISTS. */
export async function writeNewPolicy(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fail(code === 'EEXIST' ? policyExists(path) : policyUnreadable(path, message), error);
  }
}
