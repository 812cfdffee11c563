import { KINDS, type KindName } from '../../src/model/kinds.js';
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import type { Report } from '../../src/model/report.js';

/** Start of every run in these tests; times in rows are milliseconds after it. */
export const START = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A step of a run; `at` and `ms` in milliseconds, `at` after START. */
export function aStep(
  id: string,
  kind: KindName,
  state: StepStatus['state'],
  more: Partial<StepStatus> & { at?: number } = {},
): StepStatus {
  const { at, ...rest } = more;
  return {
    id,
    kind,
    stage: KINDS[kind].stage,
    state,
    attempt: state === 'waiting' ? 0 : 1,
    ...(at === undefined ? {} : { startedAt: START + at }),
    ...rest,
  };
}

export function aRun(more: Partial<RunStatus> = {}): RunStatus {
  return {
    workflowId: 'rehearsal/skiff/1.2.0',
    run: '0195e7aa-0000-7000-8000-000000000000',
    plan: `sha256:${'ab'.repeat(32)}`,
    name: 'skiff',
    version: '1.2.0',
    rehearsal: true,
    state: 'running',
    startedAt: START,
    steps: [],
    problems: [],
    ...more,
  };
}

/** A run in the middle: one wheel failed, one tries again, two run. */
export const inTheMiddle = (): RunStatus =>
  aRun({
    steps: [
      aStep('source', 'fetchSource', 'cached', { at: 0, ms: 400, note: 'skiff-1.2.0.tar.gz' }),
      aStep('prove/linux-x86_64', 'proveQueue', 'done', { at: 100, ms: 2100 }),
      aStep('deps/build/cp310', 'compileLock', 'done', { at: 2300, ms: 900 }),
      aStep('wheels/skiff/cp310/linux-x86_64', 'buildWheel', 'done', {
        at: 3300,
        ms: 12_345,
        note: 'manylinux_2_34_x86_64, 61 files',
      }),
      aStep('wheels/skiff/cp311/linux-x86_64', 'buildWheel', 'failed', {
        at: 3300,
        ms: 5000,
        problems: [compileError],
      }),
      aStep('wheels/skiff/cp312/linux-x86_64', 'buildWheel', 'running', { at: 3300 }),
      aStep('wheels/skiff/cp313/linux-x86_64', 'buildWheel', 'backing off', {
        at: 3300,
        attempt: 2,
        problems: [{ code: 'INDEX_BUSY', class: 'infra', message: 'the index answers 503', next: 'Wait.' }],
      }),
      aStep('images/skiff', 'buildImage', 'skipped', { because: 'wheels/skiff/cp311/linux-x86_64 failed' }),
      aStep('tests/venv', 'runTest', 'waiting'),
      aStep('report', 'writeReport', 'waiting'),
    ],
  });

export const compileError = {
  code: 'COMMAND_FAILED',
  class: 'product',
  message: '`python -m build` ended with exit status 1',
  next: 'Mend the source or its section, then `slipway run` again: what is known is reused.',
  evidence: [
    'src/skiff.c:12:3: error: expected \u2018;\u2019 before \u2018}\u2019 token',
    "error: command 'gcc' failed with exit code 1",
  ],
} as const;

export const rehearsed = (): RunStatus =>
  aRun({
    state: 'ended',
    endedAt: START + 92_400,
    verdict: { verdict: 'rehearsed', reasons: [] },
    steps: [
      aStep('source', 'fetchSource', 'cached', { at: 0, ms: 400 }),
      aStep('wheels/skiff/cp312/linux-x86_64', 'buildWheel', 'done', { at: 500, ms: 62_345 }),
      aStep('publish/index', 'publishArtifacts', 'done', { at: 63_000, ms: 4000 }),
      aStep('report', 'writeReport', 'done', { at: 92_000, ms: 20 }),
    ],
  });

export const aReport = (): Report => ({
  slipway: 1,
  release: { name: 'skiff', version: '1.2.0' },
  profile: { name: 'local', rehearsal: true },
  rehearsed: { targets: 1, hosts: ['127.0.0.1'] },
  run: aRun().run,
  plan: `sha256:${'ab'.repeat(32)}`,
  manifest: `sha256:${'cd'.repeat(32)}`,
  published: [
    {
      target: 'index',
      step: 'publish/index',
      name: 'skiff-1.2.0-cp312-cp312-manylinux_2_34_x86_64.whl',
      digest: `sha256:${'12'.repeat(32)}`,
      url: 'http://127.0.0.1:3141/root/local/+f/121/skiff-1.2.0-cp312-cp312-manylinux_2_34_x86_64.whl',
    },
  ],
  verified: [{ target: 'index', step: 'verify/index', note: "installed by pip; python -c 'import skiff'" }],
  pointers: [
    {
      target: 'hub',
      name: 'latest',
      moved: true,
      digest: `sha256:${'34'.repeat(32)}`,
      note: '1.2.0 is the newest stable version',
    },
  ],
  steps: [],
  dropped: [{ id: 'tests/gpu', because: 'nobody serves the queue gpu (tests.gpu.unserved: drop)' }],
  notRun: [
    { step: 'images/skiff/linux-aarch64', names: ['skiff'], because: 'no test takes it' },
    {
      step: 'wheels/skiff/cp312/macos-arm64',
      names: ['skiff-1.2.0-cp312-cp312-macosx_11_0_arm64.whl'],
      because: 'no test runs on macos-arm64',
    },
  ],
  findings: [
    {
      step: 'wheels/skiff/cp312/linux-x86_64',
      level: 'warning',
      code: 'BUILDER_PATH',
      subject: 'skiff-1.2.0.data/scripts/skiff',
      why: 'names the folder it was built in',
      next: 'Lay a relocatable script over the source.',
    },
  ],
});
