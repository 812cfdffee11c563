import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plan } from '../../model/plan.js';
import { receiversIn } from '../../plan/policy/receivers.js';
import type { Receiver } from '../../model/policy/place.js';
import type { Features } from '../../activities/plan/ports.js';
import { fail } from '../../model/failure.js';
import { refsOfCommits } from '../../plan/policy/commit.js';
import { listedNames, usesIn } from '../../model/secret.js';
import { plan as planned } from '../../plan/plan.js';
import { policyDraft } from '../../plan/policy/draft.js';
import { grantedBy } from '../../plan/policy/granter.js';
import { judgeTarget, type Asked } from '../../plan/policy/judge.js';
import { gatherFacts, NO_PAST } from '../facts/index.js';
import { policyExists, policyUnreadable } from './errors.js';
import { createWorkerPolicy } from './index.js';

/** The policy of this machine's workers, for display.
 * @param service returns the address of a service, null if it is down */
export function openPolicy(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  service: (name: string) => string | null,
  features: Features,
) {
  const { path, read, refsOf } = createWorkerPolicy(env, home);
  const resolve = (address: string): string =>
    (address.startsWith('service:') ? service(address.slice('service:'.length)) : null) ?? address;
  const asked = (one: Receiver): Asked => ({ ...one, planned: one.address, address: resolve(one.address) });
  return {
    ...{ path, read, writeNew: writeNewPolicy },
    draft: (file: string, profile: string) => draftPolicy(file, profile, features),
    async explain(plan: Plan) {
      const policy = await read();
      const repository = policy?.content.repository;
      const refs = repository ? await refsOfCommits(plan, (commit) => refsOf(repository, commit)) : null;
      const question = { policy, path, plan, refs };
      const judged = receiversIn(plan)
        .filter(({ kind }) => kind !== 'read')
        .map((receiver) => judgeTarget(question, asked(receiver)));
      const uses = usesIn(plan).map((use) => ({
        ...use,
        by: grantedBy(use, use.target && asked(use.target), policy, listedNames(env)),
      }));
      return { path, policy: policy?.content ?? null, judged, uses };
    },
  };
}

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
