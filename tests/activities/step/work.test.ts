import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Work } from '../../../src/activities/work.js';
import type { Problem } from '../../../src/model/failure.js';
import { withMoreTime } from '../../support/more-time.js';
import { aStep, anArtifact, aResult, newHome, runBody } from '../../support/run-body.js';

const step = aStep('takeSdist', { project: 'skiff' });

test('a body runs programs in an empty folder, with the bundle beside it and a scrubbed environment', async () => {
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

test('artifacts of the inputs are found by kind and labels, fetched and kept', async () => {
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

describe('the last lines come with', () => {
  const failing = (run: string, limitMs: number) =>
    runBody(async (work) => (await work.must(run), { artifacts: [], note: '' }), { ...step, limitMs }).then(
      () => null,
      (error: { first: Problem }) => error.first,
    );

  test('a command that fails', async () => {
    const problem = await failing('echo about to fail; exit 3', step.limitMs);
    expect(problem).toMatchObject({ code: 'COMMAND_FAILED', class: 'product', evidence: ['about to fail'] });
  });

  test('a command over the limit', async () => {
    const problem = await withMoreTime(300, async (limitMs) => {
      const end = await failing('echo stuck; sleep 600', limitMs);
      expect(end).toMatchObject({ code: 'LIMIT_REACHED', class: 'product' });
      return end!.evidence?.length ? end : null;
    });
    expect(problem).toMatchObject({ evidence: ['stuck'] });
  });
});

test('a missing program, a missing secret and a service that is down are told by name', async () => {
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

test('a value that is remembered stands for all attempts', async () => {
  const home = await newHome();
  const body = (value: string) => async (work: Work) => ({
    artifacts: [],
    note: `${await work.recall<string>('id')} ${await work.remember('id', value)}`,
  });
  expect((await runBody(body('first'), step, { home })).made.note).toBe('null first');
  expect((await runBody(body('second'), step, { home, attempt: 2 })).made.note).toBe('first first');
});

test('secrets print as their names, also where a write cuts them', async () => {
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
