import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { sendAction } from '../../src/client/send-action.js';

const ID = 'release/skiff/1.0';
const DID = { ok: true, did: 'wheels/a is tried again', steps: ['wheels/a'] };
const NOT_HELD = { ok: false, problem: { code: 'STEP_NOT_HELD' } };
const LOST = new Error('the answer was lost');
const UNKNOWN = new WorkflowNotFoundError('update not found', ID, 'first');
const SILENT = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'no connection', metadata: {} });

interface Told {
  readonly answer: unknown;
  readonly error: unknown;
  /** Sends and questions, `send HISTORY ID` and `ask HISTORY ID`, where the first id reads `1`. */
  readonly calls: readonly string[];
}

/** Sends a retry to a run that continues as new while the answer of its first history is lost.
 * @param outcome what the first history answers for the id of an Update
 * @param then status of the second history */
async function sent(outcome: () => Promise<unknown>, then = 'RUNNING'): Promise<Told> {
  const calls: string[] = [];
  const ids: string[] = [];
  const note = (what: string, history: string, id = 'none'): void => {
    if (!ids.includes(id)) ids.push(id);
    calls.push(`${what} ${history} ${ids.indexOf(id) + 1}`);
  };
  let lost = false;
  const statusOf = (history: string): string => (history === 'second' ? then : lost ? 'CONTINUED_AS_NEW' : 'RUNNING');
  const handle = (history: string): object => ({
    describe: async () => ({ status: { name: statusOf(history) }, workflowId: ID, runId: history }),
    executeUpdate: async (_: string, { updateId }: { updateId?: string }) => {
      note('send', history, updateId);
      if (history === 'second') return NOT_HELD;
      lost = true;
      throw LOST;
    },
    getUpdateHandle: (id: string) => ({ result: () => (note('ask', history, id), outcome()) }),
  });
  const closing = { workflowExecutionContinuedAsNewEventAttributes: { newExecutionRunId: 'second' } };
  const client = {
    workflow: { getHandle: (_: string, history = 'first') => handle(history) },
    workflowService: { getWorkflowExecutionHistory: async () => ({ history: { events: [closing] } }) },
    options: { namespace: 'default' },
    withDeadline: (_: number, request: () => Promise<unknown>) => request(),
  } as unknown as Client;
  const sending = sendAction({ client, address: 'temporal:7233' }, ID, { action: 'retry', step: 'wheels/a' });
  const [answer, error] = await sending.then(
    (told) => [told, null],
    (thrown: unknown) => [null, thrown],
  );
  return { answer, error, calls };
}

test.each([
  ['goes on', 'RUNNING'],
  ['has ended', 'COMPLETED'],
])(
  'given an Update whose answer was lost, when the run continued as new and %s, then its first history answers',
  async (_, then) => {
    const { answer, calls } = await sent(async () => DID, then);
    expect({ answer, calls }).toEqual({ answer: DID, calls: ['send first 1', 'ask first 1'] });
  },
);

test('given an Update that the first history does not know, then it is sent to the next one under the same id', async () => {
  const { answer, calls } = await sent(() => Promise.reject(UNKNOWN));
  expect({ answer, calls }).toEqual({ answer: NOT_HELD, calls: ['send first 1', 'ask first 1', 'send second 1'] });
});

test('given a server that does not say whether the first history knows the Update, then it is not sent again', async () => {
  const { error, calls } = await sent(() => Promise.reject(SILENT));
  expect(error).toMatchObject({ problems: [{ code: 'SERVER_UNREACHABLE' }] });
  expect(calls).toEqual(['send first 1', 'ask first 1']);
});
