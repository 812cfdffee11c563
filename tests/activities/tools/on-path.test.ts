/** @needs sandbox */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { attemptStep } from '../../../src/activities/step/attempt.js';
import { createRunCommand } from '../../../src/activities/steps/run-command.js';
import type { Work } from '../../../src/activities/work.js';
import { hasTools } from '../../../src/activities/tools/lay-tools.js';
import type { ImageContainer } from '../../../src/activities/tests/ports.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { hexOf, type Digest } from '../../../src/model/digest.js';
import { records } from '../../../src/model/run-folder.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import type { StepOf } from '../../../src/model/plan.js';
import { anArtifact, aPlan, aResult, aStep, newHome, readLog, realSurroundings, RUN } from '../../support/run-body.js';

const TOOL = 'tools/raymake/linux-x86_64';
const COMMAND: Params['runCommand'] = {
  ...{ run: 'raymake', env: {}, folder: '.', where: { in: 'host' }, expect: null, outputs: [], network: true },
};

const fetching = ({ digest }: { readonly digest: Digest }) =>
  aStep('fetchTool', { tool: 'raymake', sha256: hexOf(digest) } as Params['fetchTool'], { id: TOOL });

/** Runs a step that needs a tool, and returns its record. */
async function ran(line: string, script = 'echo "raymake 0.33.0 $1"', home = newHome(), run = RUN) {
  const around = realSurroundings(await home);
  const artifact = await anArtifact(around.home, 'raymake', `#!/bin/sh\n${script}\n`, { kind: 'tool' });
  const tool = fetching(artifact);
  await around.store.create(records.result(run, TOOL), aResult(tool, { artifacts: [artifact] }));
  const step = aStep('runCommand', { ...COMMAND, run: line }, { needs: [TOOL] });
  const ports = { programs: around.programs, archives: createArchives(), containers: null };
  const input = { plan: 'sha256:0' as const, step: step.id, run, attempt: 1 };
  const plan = aPlan({ steps: [tool, step] });
  const moment = { signal: new AbortController().signal, delivery: 1 };
  await attemptStep(createRunCommand(ports as never) as never, input, plan, around, moment);
  const result = await around.store.read<Result>(records.result(run, step.id));
  return { result: result!, log: await readLog(around, records.log(run, step.id, 1, 1)) };
}

test('given a step that needs a tool, then its line finds it on PATH, behind the programs of Slipway', async () => {
  const { log } = await ran('raymake all; command -v raymake; echo "$PATH"');
  expect(log).toContain('raymake 0.33.0 all');
  expect(log).toMatch(/^[^:\n]*\/bin:[^:\n]*\/tools:/m);
});

test('given its line, then it can neither write the tool nor add another one', async () => {
  const { log } = await ran(
    'at=$(command -v raymake); (echo x > "$at") 2>&1 || echo kept; (touch "$(dirname "$at")/gpg") 2>&1 || echo closed',
  );
  expect(log).toContain('kept');
  expect(log).toContain('closed');
});

test('given another tool under the same name, then the key of the step is another one', async () => {
  const home = newHome();
  const first = await ran('raymake', 'echo 1', home, 'run-1');
  const same = await ran('raymake', 'echo 1', home, 'run-2');
  const second = await ran('raymake', 'echo 2', home, 'run-3');
  expect(same.result.key).toBe(first.result.key);
  expect(second.result.key).not.toBe(first.result.key);
  expect(second.log).toContain('2');
});

/** Returns the path by which a program of a step finds raymake. */
async function seen<K extends KindName>(kind: K, how: Parameters<Work['exec']>[1]): Promise<string> {
  const around = realSurroundings(await newHome());
  const artifact = await anArtifact(around.home, 'raymake', '#!/bin/sh\n', { kind: 'tool' });
  const tool = fetching(artifact);
  await around.store.create(records.result(RUN, TOOL), aResult(tool, { artifacts: [artifact] }));
  const step = aStep(kind, { network: true } as unknown as StepOf<K>['params'], { needs: [TOOL] });
  let answer = '';
  const body = async (work: Work<K>) => {
    answer = await work.capture(['sh', '-c', 'command -v raymake || echo none'], how);
    return { artifacts: [], note: '' };
  };
  const input = { plan: 'sha256:0' as const, step: step.id, run: RUN, attempt: 1 };
  const moment = { signal: new AbortController().signal, delivery: 1 };
  await attemptStep(body as never, input, aPlan({ steps: [tool, step] as never }), around, moment);
  return answer.trim();
}

test.each([
  ['an unconfined program', 'runCommand', { unconfined: true }],
  ['a program that fills the shared caches', 'runCommand', { access: 'fetch' }],
  ['a step that publishes', 'publishArtifacts', {}],
  ['a step that signs', 'signFiles', {}],
  ['a line of a target', 'publishArtifacts', { access: 'line' }],
] as const)('given %s, then it has no tool, even if the step needed one', async (_what, kind, how) => {
  expect(await seen(kind, how)).toBe('none');
});

test('given a builder that resolves, then it has the tool: it runs code of the entry', async () => {
  expect(await seen('buildWheel', { access: 'resolve' })).toMatch(/\/tools\/raymake$/);
});

test('given a container, then the tools are mounted for reading alone, and are on its PATH', async () => {
  const around = realSurroundings(await newHome(), { service: () => '127.0.0.1:5000' });
  const artifact = await anArtifact(around.home, 'raymake', '#!/bin/sh\n', { kind: 'tool' });
  const image = { digest: 'sha256:1', kind: 'image', name: 'sea', size: 0, labels: { repository: 'sea' } } as const;
  const tool = fetching(artifact);
  const base = aStep('makeBase', {} as Params['makeBase'], { id: 'bases/sea' });
  await around.store.create(records.result(RUN, TOOL), aResult(tool, { artifacts: [artifact] }));
  await around.store.create(records.result(RUN, base.id), aResult(base, { artifacts: [image] }));
  const where = { in: 'container', base: base.id } as const;
  const step = aStep('runCommand', { ...COMMAND, where }, { needs: [TOOL, base.id] });
  const seen: ImageContainer[] = [];
  const containers = { run: async (one: ImageContainer) => (seen.push(one), { code: 0, timedOut: false }) };
  const ports = { programs: around.programs, archives: createArchives(), containers };
  const input = { plan: 'sha256:0' as const, step: step.id, run: RUN, attempt: 1 };
  const moment = { signal: new AbortController().signal, delivery: 1 };
  await attemptStep(
    createRunCommand(ports as never) as never,
    input,
    aPlan({ steps: [tool, base, step] }),
    around,
    moment,
  );
  const folder = seen[0]!.env['PATH']!.split(':')[1]!;
  expect(folder).toMatch(/\/tools$/);
  expect(seen[0]!.mounts).toContainEqual({ host: folder, path: folder, writable: false });
});

test('given a link of a container in place of the tools, then there are none to mount', async () => {
  const attempt = await newHome();
  symlinkSync(await newHome(), join(attempt, 'tools'));
  expect(hasTools(join(attempt, 'work'))).toBe(false);
});
