import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { allowedFile } from '../../../adapters/facts/allowed-file.js';
import { assertFolderIsOurs } from '../../../adapters/facts/ownership.js';
import { utf8 } from '../../../adapters/facts/release-text.js';
import { serverEnv } from '../../../adapters/temporal/server-env.js';
import { readRoots } from '../../../adapters/facts/roots.js';
import { fail, placed, type Problem, SlipwayFailure } from '../../../model/failure.js';
import { problem } from '../../../model/problem.js';
import { secretReference } from '../../../model/secret.js';
import type { FeaturePlans } from '../../../plan/feature.js';
import { readChecked } from '../../../plan/read/release-file.js';
import { AGAIN, type DoctorCheck, type Finding, ill, type Patient, well } from '../../../services/doctor/check.js';
import { run } from '../../../services/run.js';
import { notForComments } from '../pure/comments/hooks.js';
import { pollIdOf } from '../pure/comments/messages.js';
import { type HookJob, Hooks } from '../schemas/hooks.js';

export const hooksPath = (home: string): string => join(home, 'hooks.yaml');

/** Returns `hooks.yaml` of a home, with absolute paths of release files. Null without one. Throws all its problems, and
 * RELEASE_FILE_WRITABLE or RELEASE_FILE_NOT_OWNED if another user could have written it. */
export async function readHooksFile(home: string): Promise<Hooks | null> {
  const path = hooksPath(home);
  if (!existsSync(path)) return null;
  await assertFolderIsOurs(await realpath(path));
  const { jobs, ...hooks } = readChecked(await utf8(path, path), path, Hooks).content;
  const whole = Object.entries(jobs).map(([name, job]) => [name, { ...job, file: resolve(home, job.file) }] as const);
  return { ...hooks, jobs: Object.fromEntries(whole) };
}

/** No row without `hooks.yaml` and without a poll that was left. */
export const checkHooks: DoctorCheck = async (patient) => {
  const path = hooksPath(patient.home);
  const { hooks, problems } = await readHooksFile(patient.home).then((read) => ({ hooks: read, problems: [] }), faulty);
  if (problems.length > 0)
    return problems.map(({ message, next, place }) => ill('hooks', `${path}:${place?.line ?? 1}: ${message}`, next));
  const jobs = Object.entries(hooks?.jobs ?? {}).map((job) => refusedJob(job, path, patient));
  const secrets = hooks === null ? [] : missingSecrets(hooks, patient.env);
  const found = [...secrets, ...(await Promise.all([leftPolls(patient, hooks), ...jobs])).flat()];
  return hooks === null || found.length > 0 ? found : [told(hooks)];
};

const faulty = (error: unknown): { readonly hooks: null; readonly problems: readonly Problem[] } => {
  if (error instanceof SlipwayFailure) return { hooks: null, problems: error.problems };
  throw error;
};

/** Secrets of hooks.yaml that this terminal lacks. A secret that a command prints is not asked for. */
function missingSecrets({ token, secret }: Hooks, env: Patient['env']): readonly Finding[] {
  return Object.entries({ token, secret }).flatMap(([key, reference = '']) => {
    const found = secretReference(reference);
    const path = found?.by === 'file' ? found.path.replace(/^~/, env['HOME'] ?? '~') : null;
    const isUnset = found?.by === 'environment' && !env[found.name];
    const isAbsent = path !== null && !existsSync(path);
    const why = isUnset ? `${reference} is not set` : isAbsent ? `there is no file ${path}` : null;
    return why === null ? [] : [ill('hooks', `${key}: ${why} here`, `set it, then ${AGAIN}`)];
  });
}

/** Why a comment would not start the job: its release file is absent or wrong, or this home may not read it. */
async function refusedJob(
  [name, job]: readonly [string, HookJob],
  path: string,
  { home, env, plans }: Pick<Patient, 'home' | 'env' | 'plans'>,
): Promise<readonly Finding[]> {
  const { file } = job;
  if (!existsSync(file)) return [ill('hooks', `jobs.${name}: ${file} is absent`, `correct its file in ${path}`)];
  const allowed = allowedFile(file, (kind) => readRoots(env, home, kind));
  const { problems } = await allowed.then(() => checkJob(name, job, plans)).then(() => ({ problems: [] }), faulty);
  return problems
    .filter((one) => one.class === 'config')
    .map(({ message, next, place }) =>
      ill('hooks', `jobs.${name}: ${place ? `${placed(place)}: ` : ''}${message}`, next),
    );
}

const noSettings = problem.config(() => [
  'HOOK_JOB_WITHOUT_SETTINGS',
  'the release file has no `config:` whose setting it could give',
  'Add `config:` to the release file, or take the key out of the job.',
]);

/** Throws why no comment would start a job, all problems at once: its release file, profile, presets and settings at the commit that
 * its source names. Indexes are not asked. */
async function checkJob(name: string, job: HookJob, plans: Patient['plans']): Promise<void> {
  const { gatherFacts, NO_PAST } = await import('../../../adapters/facts/index.js');
  const given = { preset: job.presets, offline: true };
  const past = { ...NO_PAST, features: (await plans()) as FeaturePlans };
  const { file, facts } = await gatherFacts(job.file, job.profile, dirname(job.file), given, past);
  const profile = { name: facts.profile.name, rehearsal: facts.profile.content.rehearsal };
  const releases = notForComments({ profile, pipeline: file.content.pipeline }, name);
  const settings = (['project', 'cluster'] as const).flatMap((word): readonly Problem[] => {
    const path = job[word];
    const found = path === undefined ? null : (file.settings?.value(path) ?? noSettings());
    return found !== null && 'code' in found
      ? [{ ...found, class: 'config', message: `${word}: ${found.message}` }]
      : [];
  });
  const problems = [...(releases === null ? [] : [releases]), ...settings];
  if (problems.length > 0) throw fail(problems);
}

/** Schedules of polls of repositories that hooks.yaml does not name. The next poll of each deletes it, where control may. */
async function leftPolls({ home, toolsBin, state, env }: Patient, hooks: Hooks | null): Promise<readonly Finding[]> {
  const list = ['schedule', 'list', '-o', 'json'];
  const asked = state && run(join(toolsBin, 'temporal'), list, 10_000, { ...serverEnv(home), ...env });
  const found = [...((await asked)?.stdout ?? '').matchAll(/"scheduleId": ?"(comments\/[^"]+)"/g)].map(([, id]) => id!);
  return found
    .filter((id) => hooks === null || id !== pollIdOf(hooks.repository))
    .map((id) => ill('hooks', `${id} polls what hooks.yaml does not name`, `temporal schedule delete -s ${id}`));
}

function told({ repository, jobs, poll, secret }: Hooks): Finding {
  const ways = [secret && 'by delivery', poll !== 'off' && `asked each ${poll / 1000} s`].filter(Boolean);
  return well('hooks', `${repository}: ${Object.keys(jobs).join(', ')}; comments ${ways.join(', ')}`);
}
