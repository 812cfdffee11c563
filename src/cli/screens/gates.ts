import type { Manifest } from '../../engine/ledger/manifest.js';
import type { GateStatus } from '../../model/gate.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { plain, type Colours } from '../render/paint.js';

/** Files named before the rest is counted. */
const NAMED = 40;

/** Gates that wait: for what, who may approve, what to type. */
export const gateLines = (status: RunStatus, paint: Colours): string[] =>
  status.steps.flatMap(({ id, gate, because }) =>
    gate === undefined
      ? []
      : [
          '',
          `${paint.yellow('‖')} ${paint.bold(plain(id))} waits: ${plain(because ?? '')}`,
          `  manifest ${gate.manifest}`,
          ...gate.approvers.map((group) => `  may approve: ${plain(group)}`),
          `  ${paint.cyan('next:')} ${plain(gate.next)}${gate.quorum > 0 ? `; \`slipway reject ${gate.name} --reason '…'\`` : ''}`,
        ],
  );

/** What a person says yes to: what will go out, and what must not be taken for more than it is. */
export function approvalLines(plan: Plan, manifest: Manifest, gate: GateStatus, paint: Colours): string[] {
  const { release, source, profile } = plan;
  const where =
    source.kind === 'git' ? `commit ${source.commit.slice(0, 12)}` : `sdist ${source.name}==${source.version}`;
  const targets = [...new Set(plan.effects.map(({ target }) => target))];
  const kinds = [...new Set(manifest.artifacts.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => `${manifest.artifacts.filter((one) => one.kind === kind).length} ${kind}`);
  const { artifacts } = manifest;
  return [
    `${paint.bold(`${release.name} ${release.version}`)} from ${where}, profile ${profile.name}${profile.rehearsal ? ' (a rehearsal)' : ''}`,
    `manifest ${gate.manifest}`,
    `sealed   ${counts.join(', ') || 'nothing'}; goes to ${targets.join(', ') || 'no target'}`,
    ...artifacts
      .slice(0, NAMED)
      .map(
        ({ name, digest, notes }) =>
          `  ${plain(name)}  ${paint.dim(digest.slice(7, 19))}${notes.length > 0 ? `  ${plain(notes.join('; '))}` : ''}`,
      ),
    ...(artifacts.length > NAMED ? [`  and ${artifacts.length - NAMED} more: slipway artifacts`] : []),
    ...section(
      'Not run',
      manifest.notRun.map(({ names, because }) => `${names.join(', ')}: ${because}`),
      paint,
    ),
    ...section(
      'Dropped',
      manifest.dropped.map(({ id, because }) => `${id}: ${because}`),
      paint,
    ),
    ...section(
      'Left out by a person',
      manifest.skipped.map(({ id, because }) => `${id}: ${because}`),
      paint,
    ),
    ...section(
      'Findings',
      manifest.findings.map((one) => `${one.level} ${one.code} ${one.subject}: ${one.why}`),
      paint,
    ),
    ...section(
      'Approved so far',
      gate.approvals.map(({ by, verified }) => `${by}${verified ? '' : ' (unverified)'}`),
      paint,
    ),
    `${gate.approvals.length} of ${gate.quorum} approvals`,
  ];
}

const section = (title: string, rows: readonly string[], paint: Colours): string[] =>
  rows.length === 0
    ? []
    : [
        `${title}:`,
        ...rows.slice(0, NAMED).map((row) => `  ${plain(row)}`),
        ...(rows.length > NAMED ? [paint.dim(`  and ${rows.length - NAMED} more`)] : []),
      ];
