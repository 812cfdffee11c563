import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, type Problem } from '../../../model/failure.js';
import { secretReference } from '../../../model/secret.js';
import { notForComments } from '../pure/comments/hooks.js';
import type { FeaturePlans } from '../../../plan/feature.js';
import type { Patient } from '../../../services/doctor/check.js';
import type { HookJob } from '../schemas/hooks.js';

/** Throws why no comment would start a job, all problems at once: its release file, profile, presets and settings at the commit that
 * its source names. Indexes are not asked. */
export async function checkJob(name: string, job: HookJob, plans: Patient['plans']): Promise<void> {
  const { gatherFacts, NO_PAST } = await import('../../../adapters/facts/index.js');
  const given = { preset: job.presets, offline: true };
  const past = { ...NO_PAST, features: (await plans()) as FeaturePlans };
  const { file, facts } = await gatherFacts(job.file, job.profile, dirname(job.file), given, past);
  const { name: profile, content } = facts.profile;
  const releases = notForComments(
    {
      profile: { name: profile, rehearsal: content.rehearsal },
      ...(file.content.pipeline !== undefined && { pipeline: true as const }),
    },
    name,
  );
  const settings = (['project', 'cluster'] as const).flatMap((word): Problem[] => {
    const said = job[word] === undefined ? null : file.settings?.value(job[word]);
    if (said === null || (said !== undefined && !('code' in said))) return [];
    const { code, message, next } = said ?? NO_SETTINGS;
    return [{ code, class: 'config', message: `${word}: ${message}`, next }];
  });
  const found = [...(releases === null ? [] : [releases]), ...settings];
  if (found.length > 0) throw fail(found);
}

const NO_SETTINGS = {
  code: 'HOOK_JOB_WITHOUT_SETTINGS',
  message: 'the release file has no `config:` whose setting it could give',
  next: 'Add `config:` to the release file, or take the key out of the job.',
};

/** Why this terminal lacks a secret of hooks.yaml. Null: it has it, or a command prints it. */
export function missingSecret(reference: string, env: NodeJS.ProcessEnv): string | null {
  const found = secretReference(reference);
  if (found?.by === 'environment' && !env[found.name]) return `${reference} is not set`;
  const path = found?.by === 'file' ? found.path.replace(/^~/, env['HOME'] ?? '~') : null;
  return path === null || existsSync(path) ? null : `there is no file ${path}`;
}
