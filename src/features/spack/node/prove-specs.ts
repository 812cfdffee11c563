import { join } from 'node:path';
import { z } from 'zod';
import { writeInside } from '../../../activities/step/inside.js';
import type { Body } from '../../../activities/work.js';
import { counted } from '../../../model/counted.js';
import { fail, type Problem } from '../../../model/failure.js';
import { type Environments, openEnvironments } from './environments.js';
import { proofUnread, recipeDiffers, recipeUnread, spackDiffers, spackOld } from './errors.js';
import { layEnvironment } from './lay-environment.js';
import { packageIndex, type SpackWorker } from './package-index.js';

/** Prints the version of Spack, and the hash of each recipe of the environment or why it has none. Recipes may print too. */
const PROGRAM = `import json
import spack
import spack.environment

hashes, faults = {}, {}
for spec in spack.environment.active_environment().all_specs():
    if spec.external:
        continue
    try:
        hashes[spec.dag_hash()] = spec.package.content_hash()
    except Exception as error:
        faults[spec.dag_hash()] = str(error).split("\\n")[0]
commit = getattr(spack, "get_spack_commit", lambda: None)()
print("\\n" + json.dumps({"spack": spack.spack_version, "commit": commit, "hashes": hashes, "faults": faults}))
`;
const Answer = z.strictObject({
  spack: z.string(),
  /** Null: the checkout is an archive, or it has no git. */
  commit: z.string().nullable(),
  hashes: z.record(z.string(), z.string()),
  faults: z.record(z.string(), z.string()),
});
type Answer = z.infer<typeof Answer>;

/** Build caches of layout 3. */
const OLDEST_MAJOR = 1;

/** Compares the recipes of an environment with its lock. A recipe that changed after locking would build other code under the old
 * hash, and Spack pushes that without a word. The comparison guards against mistakes: recipes run in it, and could lie. */
export function createProveSpecs(worker: SpackWorker): Body<'proveSpecs'> {
  const environmentOf: Environments = openEnvironments();
  return async function proveSpecs(work) {
    const { specs, spack: wanted } = work.step.params;
    const stored = await environmentOf(work);
    const index = await packageIndex(work, worker);
    const { argv, env } = layEnvironment(work, stored, worker.env, { index, caches: null });
    const program = join(work.folder, 'hashes.py');
    writeInside(work, program, PROGRAM);
    const said = await work.capture([...argv, 'python', program], { env: work.env(env) });
    const answer = answerIn(said);
    const wrong: Problem[] = Number.parseInt(answer.spack) < OLDEST_MAJOR ? [spackOld(answer.spack, '1.0')] : [];
    if (wanted !== undefined && !isAskedFor(wanted, answer))
      wrong.push(spackDiffers(work.step.on, answer.spack, answer.commit, wanted));
    for (const hash of specs) {
      const { name = hash, version = '', packageHash = null } = stored.lock.specs.get(hash) ?? {};
      const found = answer.hashes[hash];
      if (found === undefined)
        wrong.push(recipeUnread(`${name}@${version}`, answer.faults[hash] ?? 'it is not in the lock'));
      else if (packageHash !== null && found !== packageHash)
        wrong.push(recipeDiffers(`${name}@${version}`, found, packageHash));
    }
    if (wrong.length > 0) throw fail(wrong);
    return {
      artifacts: [],
      facts: { spack: answer.spack },
      note: `Spack ${answer.spack}, ${counted(specs.length, 'recipe')} as locked`,
    };
  };
}

/** A commit has no dot. */
const isAskedFor = (wanted: string, { spack, commit }: Answer): boolean =>
  wanted.includes('.') ? `${spack}.`.startsWith(`${wanted}.`) : (commit?.startsWith(wanted) ?? false);

function answerIn(said: string): Answer {
  const last = said.trimEnd().split('\n').at(-1) ?? '';
  try {
    return Answer.parse(JSON.parse(last));
  } catch (error) {
    throw fail(proofUnread(error instanceof Error ? error.message.split('\n')[0]! : String(error)));
  }
}
