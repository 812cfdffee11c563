import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { StepContext } from '../../../src/activities/step/ports.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { commentActivities } from '../../../src/features/campaigns/node/comments/activities.js';
import type { Fault } from '../../doubles/github.js';
import { aGithub, type Github } from './a-github.js';

let github: Github;
let home: string;
beforeEach(async () => {
  github = await aGithub();
  home = mkdtempSync(join(tmpdir(), 'slipway-attempt-'));
  hooks();
});
afterEach(() => github.stop());

const hooks = (more = ''): void =>
  writeFileSync(
    join(home, 'hooks.yaml'),
    `hooks: 1\nrepository: skiff/boat\naddress: ${github.address}\ntoken: $TOKEN\njobs: { night: { file: a.yaml } }\n${more}`,
    { mode: 0o600 },
  );

/** Reads a comment by ann as an activity. Returns the failure, or the kind of the reply. */
async function attempted(env: Record<string, string> = { TOKEN: github.token }): Promise<ApplicationFailure | string> {
  const { id } = github.add('/help', 'ann');
  const around = { home, env, now: Date.now, store: createDirectoryStore(join(home, 'store')) };
  const planner = { submit: () => Promise.reject(new Error('nothing is planned')) };
  const { readComment } = commentActivities(around as unknown as StepContext, planner);
  const workflowExecution = { workflowId: `comment/skiff/boat/${id}`, runId: 'run-1' };
  const asked = new MockActivityEnvironment({ workflowExecution }).run(readComment, {
    repository: 'skiff/boat',
    comment: id,
  });
  return (asked as ReturnType<typeof readComment>).then(
    (read) => read!.reply.kind,
    (error: ApplicationFailure) => error,
  );
}

test('given a token, then the comment is read with it', async () => expect(await attempted()).toBe('help'));

test.each<[what: string, code: string, again: boolean, make: () => Record<string, string> | Exclude<Fault, string>]>([
  ['no token', 'SECRET_MISSING', false, () => ({})],
  ['a token that GitHub does not know', 'GITHUB_DENIED', false, () => ({ TOKEN: 'ghp_canary_other' })],
  ['an answer 401', 'GITHUB_DENIED', false, () => ({ status: 401 })],
  ['an outage', 'TARGET_BROKEN', true, () => ({ status: 502 })],
  ['a rate limit of an hour', 'GITHUB_LIMITED', true, () => ({ status: 403, headers: { 'retry-after': '3600' } })],
])('given %s, then the attempt ends with %s, which tells no secret', async (what, code, again, make) => {
  const made = make();
  if ('status' in made) github.faults.push({ of: 'GET', fault: made as Fault });
  const failure = (await attempted(
    'status' in made ? undefined : (made as Record<string, string>),
  )) as ApplicationFailure;
  expect(failure).toMatchObject({ type: code, nonRetryable: !again });
  expect(failure.nextRetryDelay).toBe(what.startsWith('a rate limit') ? 3_600_000 : undefined);
  expect(JSON.stringify([failure.message, failure.details])).not.toContain('ghp_canary');
  expect(github.replies()).toEqual([]);
});

test('given a hooks.yaml that is gone or wrong meanwhile, then the attempt says so, and GitHub is not asked', async () => {
  hooks('forks: [');
  expect(await attempted()).toMatchObject({ nonRetryable: true });
  home = mkdtempSync(join(tmpdir(), 'slipway-attempt-'));
  expect(await attempted()).toMatchObject({ type: 'HOOKS_ABSENT', nonRetryable: true });
  expect(github.asked).toEqual([]);
});
