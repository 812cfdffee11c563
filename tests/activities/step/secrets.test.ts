/** @slow */
import { writeFile } from 'node:fs/promises';
import type { Body } from '../../../src/activities/work.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { policyNaming } from '../../support/naming-policy.js';
import { aStep, newHome, readLog } from '../../support/run-body.js';
import { failureOf, neverRuns, pure, world } from './a-world.js';

const SECRET = 'hunter2+"ha/nd ünter';
const TOKEN = { around: { env: { ...process.env, TOKEN: SECRET } } };
/** As programs show it: whole, in a header for HTTP, in an address, in JSON. */
const SHOWN = [
  SECRET,
  Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
  Buffer.from(`__token__:${SECRET}`).toString('base64'),
  Buffer.from(`me:${SECRET}`).toString('base64url'),
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET),
];
/** What would tell it to somebody who looks for any of its faces. */
const TELLS = ['hunter2', 'hunter2%2B', ...[0, 1, 2].map(inBase64)];
function inBase64(before: number): string {
  const text = Buffer.from('x'.repeat(before) + SECRET).toString('base64');
  return text.slice(before === 0 ? 0 : before + 1, text.length - 4).replace(/=+$/, '');
}
const mustNotTell = (text: string): void => TELLS.forEach((told) => expect(text).not.toContain(told));

test('given a secret in output, then it is in neither log nor failure', async () => {
  const { around, perform } = await world(pure, TOKEN);
  const { failure } = await failureOf(
    perform(async (work) => {
      await work.secret('$TOKEN');
      for (const shown of SHOWN) work.log.write(`token=${shown}\n`);
      return work.must('exit 1').then(() => neverRuns(work));
    }),
  );
  mustNotTell(JSON.stringify([failure.message, failure.details]));
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  mustNotTell(log);
  expect(log).toContain('token=$TOKEN\ntoken=$TOKEN\n');
});

test.each(SHOWN)('given an exception with %j, then neither its message nor its stack has the secret', async (shown) => {
  const { around, perform } = await world(pure, TOKEN);
  const { failure } = await failureOf(
    perform(async (work) => {
      await work.secret('$TOKEN');
      throw Object.assign(new Error(`cannot log in with ${shown}`), { stack: `Error\n    at ${shown}\n    at b` });
    }),
  );
  mustNotTell(JSON.stringify([failure.message, failure.details, failure.stack, String(failure.cause)]));
  expect(failure.message).toContain('cannot log in with');
  mustNotTell(await readLog(around, records.log('run-0001', pure.id, 1)));
});

test('given secrets in facts, findings and note, then the result does not have them', async () => {
  const { around, perform } = await world(pure, TOKEN);
  const ending = await perform(async (work) => {
    const value = await work.secret('$TOKEN');
    const why = SHOWN.join(' ');
    return {
      artifacts: [],
      facts: { deep: [{ [value]: SHOWN }], count: 1 },
      findings: [{ level: 'note', code: 'X', subject: value, why, next: why }],
      note: why,
    };
  });
  mustNotTell(JSON.stringify(ending));
  const result = await around.store.read<Result>(records.result('run-0001', pure.id));
  mustNotTell(JSON.stringify(result));
  expect(result!.facts).toMatchObject({ count: 1, deep: [{ $TOKEN: expect.arrayContaining(['$TOKEN']) }] });
});

describe('a secret of another step of the plan', () => {
  const target = { name: 'shelf', kind: 'python', address: '', repository: null, username: 'me' } as const;
  const printed = async (password: string, env: Record<string, string> = {}, before?: Body<KindName>) => {
    const params = { target: { ...target, password }, of: [], tags: [] };
    const publish = aStep('publishArtifacts', params, { id: 'publish/shelf' });
    const { around, perform } = await world(pure, {
      plan: { steps: [pure, publish] as unknown as readonly Step[] },
      around: { env: { ...process.env, ...env }, policy: policyNaming(password) },
    });
    if (before) await perform(before, 'run-0000');
    await perform(async (work) => {
      SHOWN.forEach((shown) => work.log.write(`${shown}\n`));
      return { artifacts: [], facts: { run: work.run }, note: '' };
    });
    const log = await readLog(around, records.log('run-0001', pure.id, 1));
    return log.split('\n').slice(1);
  };
  const fileOf = async (): Promise<string> => {
    const path = `${await newHome()}/token`;
    await writeFile(path, `${SECRET}\n`);
    return path;
  };

  test.each([
    ['a variable', async () => printed('$TOKEN', { TOKEN: SECRET })],
    ['a file', async () => printed(`file:${await fileOf()}`)],
  ])('given it in %s, then it is hidden when this step prints it', async (_where, print) => {
    const lines = await print();
    mustNotTell(lines.join('\n'));
    expect(lines.length).toBeGreaterThanOrEqual(SHOWN.length);
  });

  test('given it from an earlier command, then it is hidden from then on', async () => {
    const reference = `command:cat ${await fileOf()}`;
    const ask: Body<KindName> = async (work) => {
      expect(await work.secret(reference)).toBe(SECRET);
      throw new Error('enough');
    };
    mustNotTell(
      (await printed(reference, {}, (work) => ask(work).catch(() => ({ artifacts: [], note: '' })))).join('\n'),
    );
  });
});

test.each([
  ['$NOT_SET', /not set/],
  ['file:/nowhere/at/all', /ENOENT/],
  ['command:echo tell-tale >&2; echo tell-tale; exit 3', /status 3/],
  ['command:true', /printed nothing/],
])('given %s without a value, then the error does not show what was printed', async (reference, why) => {
  const { around, perform } = await world(pure, { around: { policy: policyNaming(reference) } });
  const { details } = await failureOf(perform((work) => work.secret(reference).then(() => neverRuns(work))));
  expect(details.problems[0]).toMatchObject({ code: 'SECRET_MISSING', message: expect.stringMatching(why) });
  expect(details.problems[0]!.evidence).toEqual([]);
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  expect(log.split('\n').filter((line) => line === 'tell-tale')).toEqual([]);
});

test('given the password of a mirror, then no log shows it', async () => {
  const mirror = 'http://reader:sesame%2Fopen@127.0.0.1:1/simple/';
  const { around, perform } = await world(pure, { around: { env: { ...process.env, PIP_INDEX_URL: mirror } } });
  await perform(async (work) => {
    await work.must('echo "looking in $PIP_INDEX_URL"; echo sesame/open');
    return { artifacts: [], note: '' };
  });
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  expect(log).toContain('looking in http://reader:$PIP_INDEX_URL@127.0.0.1');
  expect(log).not.toContain('sesame');
});
