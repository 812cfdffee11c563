import { assertRole } from '../../src/workers/assert-role.js';

const SETTINGS = { address: 'far:7233', namespace: 'ours' };
const grpc = (code: number): Error => Object.assign(new Error('refused'), { code, details: '', metadata: {} });

interface Asked {
  readonly polls: string[];
  readonly deadlines: number[];
}

/** A server that answers each poll so. */
function aServer(answer: Error, { polls, deadlines }: Asked): Parameters<typeof assertRole>[0] {
  const poll =
    (kind: string) =>
    ({ taskQueue }: { readonly taskQueue?: { readonly name?: string | null } | null }): Promise<never> => {
      polls.push(`${kind} ${taskQueue?.name}`);
      return Promise.reject(answer);
    };
  return {
    withDeadline: (deadline: number, act: () => Promise<unknown>) => {
      deadlines.push(deadline - Date.now());
      return act();
    },
    workflowService: { pollActivityTaskQueue: poll('activity'), pollWorkflowTaskQueue: poll('workflow') },
  } as unknown as Parameters<typeof assertRole>[0];
}

test.each([
  [
    'linux-x86_64',
    'activity linux-x86_64',
    /a worker without a certificate serve the queue linux-x86_64$/,
    /role build; then/,
  ],
  ['control', 'activity control', /serve the queue control$/, /role control; then/],
  [null, 'workflow control', /serve the queue workflows$/, /role control; then/],
])(
  'given a role that may not serve %s, then %s is asked once, too shortly to get a task',
  async (queue, poll, said, next) => {
    const asked: Asked = { polls: [], deadlines: [] };
    const refused = {
      code: 'WORKER_ROLE_REFUSED',
      message: expect.stringMatching(said),
      next: expect.stringMatching(next),
    };
    await expect(assertRole(aServer(grpc(7), asked), SETTINGS, queue)).rejects.toMatchObject({ problems: [refused] });
    expect(asked.polls).toEqual([poll]);
    expect(asked.deadlines[0]).toBeLessThan(2_000);
  },
);

test.each([3, 4, 14])('given an answer of status %i, then the worker goes on', async (code) => {
  await expect(assertRole(aServer(grpc(code), { polls: [], deadlines: [] }), SETTINGS, 'gpu')).resolves.toBeUndefined();
});
