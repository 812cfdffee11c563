import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Work } from '../../../src/activities/work.js';
import type { Problem } from '../../../src/model/failure.js';
import { withMoreTime } from '../../support/more-time.js';
import { aStep, anArtifact, aResult, newHome, runBody } from '../../support/run-body.js';

const step = aStep('takeSdist', { project: 'skiff' });

test('given a body, then its programs run in an empty folder, beside the bundle, with a clean environment', async () => {
  const body = async (work: Work): Promise<{ artifacts: []; note: string }> => {
    await work.must('echo "$TZ $LANG $SOURCE_DATE_EPOCH ${PYTHONUNBUFFERED-none}"; ls -A; "$FILES/hello.sh"', {
      env: work.env({ FILES: work.files }),
    });
    return { artifacts: [], note: await work.capture(['cat'], { stdin: 'from stdin' }) };
  };
  const files = { 'hello.sh': '#!/bin/sh\necho hello' };
  const { made, log } = await runBody(body, step, { files, epoch: '1700000000' });
  expect(log).toBe('UTC C.UTF-8 1700000000 none\nhello\n');
  expect(made.note).toBe('from stdin');
});

test('given inputs, then artifacts are found by kind and labels, fetched and stored', async () => {
  const home = await newHome();
  const wheel = await anArtifact(home, 'a.whl', 'wheel bytes', { kind: 'wheel', labels: { python: 'cp312' } });
  const other = await anArtifact(home, 'b.whl', 'other', { kind: 'wheel', labels: { python: 'cp311' } });
  const inputs = [aResult({ id: 'wheels/a', kind: 'buildWheel' }, { artifacts: [wheel, other] })];
  const body = async (work: Work) => {
    const [found, ...more] = work.artifacts('wheel', { python: 'cp312' });
    expect([found, more]).toEqual([wheel, []]);
    const path = await work.fetch(found!, join(work.folder, 'in'));
    expect(await readFile(path, 'utf8')).toBe('wheel bytes');
    return { artifacts: [await work.keep(path, 'file', { a: 'b' }, 'kept')], note: '' };
  };
  const { made } = await runBody(body, step, { home, inputs });
  expect(made.artifacts).toEqual([{ ...wheel, kind: 'file', name: 'kept', labels: { a: 'b' } }]);
});

describe('the last lines of output', () => {
  const failing = (run: string, limitMs: number) =>
    runBody(async (work) => (await work.must(run), { artifacts: [], note: '' }), { ...step, limitMs }).then(
      () => null,
      (error: { first: Problem }) => error.first,
    );

  test('when a command fails, then they are in its problem', async () => {
    const problem = await failing('echo about to fail; exit 3', step.limitMs);
    expect(problem).toMatchObject({ code: 'COMMAND_FAILED', class: 'product', evidence: ['about to fail'] });
  });

  test('when a command exceeds its limit, then they are in its problem', async () => {
    const problem = await withMoreTime(300, async (limitMs) => {
      const end = await failing('echo stuck; sleep 600', limitMs);
      expect(end).toMatchObject({ code: 'LIMIT_REACHED', class: 'product' });
      return end!.evidence?.length ? end : null;
    });
    expect(problem).toMatchObject({ evidence: ['stuck'] });
  });
});

test('given a missing program, a missing secret or a service that is down, then it is named', async () => {
  const problem = (act: (work: Work) => unknown) =>
    runBody(async (work) => {
      await act(work as Work);
      return { artifacts: [], note: '' };
    }, step).catch((error: { first: { message: string } }) => error.first);
  expect(await problem((work) => work.must(['no-such-program']))).toMatchObject({
    code: 'PROGRAM_MISSING',
    class: 'config',
  });
  expect(await problem(async (work) => await work.secret('$NO_SUCH_SECRET'))).toMatchObject({ code: 'SECRET_MISSING' });
  expect(await problem((work) => work.address('service:index'))).toMatchObject({
    code: 'SERVICE_DOWN',
    class: 'infra',
  });
});

test('given a remembered value, then later attempts get the same value', async () => {
  const home = await newHome();
  const body = (value: string) => async (work: Work) => ({
    artifacts: [],
    note: `${await work.recall<string>('id')} ${await work.remember('id', value)}`,
  });
  expect((await runBody(body('first'), step, { home })).made.note).toBe('null first');
  expect((await runBody(body('second'), step, { home, attempt: 2 })).made.note).toBe('first first');
});

test('given a secret split over two writes, then its name is printed instead', async () => {
  const body = async (work: Work) => {
    const value = await work.secret('$TOKEN');
    work.log.write(`one ${value} two ${value.slice(0, 5)}`);
    work.log.write(`${value.slice(5)} three\n`);
    await work.must(['printf', '%s\n', value]);
    return { artifacts: [], note: '' };
  };
  const surroundings = { env: { ...process.env, TOKEN: 'hunter2-hunter2' } };
  const { log } = await runBody(body, step, { surroundings });
  expect(log).toBe('one $TOKEN two $TOKEN three\n$TOKEN\n');
});
