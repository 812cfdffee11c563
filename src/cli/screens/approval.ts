import type { Manifest } from '../../engine/ledger/manifest.js';
import { deliveriesOf, namesOf, undelivered, type Delivery } from '../../engine/ledger/deliveries.js';
import { ownSourcesOf } from '../../model/sources.js';
import type { GateStatus } from '../../model/gate.js';
import type { RunStatus } from '../../model/messages.js';
import type { Target } from '../../model/target.js';
import { TARGETS } from '../../model/target-kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { counted } from '../../model/counted.js';
import { size } from '../render/duration.js';
import { first, plain, type Colours } from '../render/paint.js';

/** Rows of a section before the rest is counted; `--show` counts nothing. */
const ROWS = 40;

export interface ApprovalScreen {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly gate: GateStatus;
  readonly status: RunStatus;
  /** Every row. */
  readonly all: boolean;
}

/** Everything that an approval opens the way for: what each target gets, and what must not be taken for more than it is. */
export function approvalLines(screen: ApprovalScreen, paint: Colours): string[] {
  const { plan, manifest, gate, all } = screen;
  const { release, profile } = plan;
  const section = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`${title}:`, ...cut(rows, all)];
  return [
    `${paint.bold(`${plain(release.name)} ${plain(release.version)}`)} from ${plain(sourcesText(plan))}, profile ${plain(profile.name)}${profile.rehearsal ? ' (a rehearsal)' : ''}`,
    `manifest ${gate.manifest}`,
    ...deliveryLines(screen, paint),
    ...section('Names that may move', pointersOf(plan)),
    ...section(
      'Not run',
      manifest.notRun.map(({ names, because }) => `${names.join(', ')}: ${because}`),
    ),
    ...section(
      'Dropped',
      manifest.dropped.map(({ id, because }) => `${id}: ${because}`),
    ),
    ...section(
      'Left out by a person',
      manifest.skipped.map(({ id, because }) => `${id}: ${because}`),
    ),
    ...section(
      'Findings',
      manifest.findings.map((one) => `${one.level} ${one.code} ${one.subject}: ${one.why}`),
    ),
    ...section(
      'Approved so far',
      gate.approvals.map(({ by, verified }) => `${by}${verified ? '' : ' (unverified)'}`),
    ),
    `${gate.approvals.length} of ${gate.quorum} approvals`,
  ];
}

function sourcesText(plan: Plan): string {
  const { source } = plan;
  const others = ownSourcesOf(plan).length;
  if (source.kind === 'none') return counted(others, 'source');
  const main =
    source.kind === 'git' ? `commit ${source.commit.slice(0, 12)}` : `sdist ${source.name}==${source.version}`;
  return `${main}${others === 0 ? '' : ` and ${counted(others, 'further source')}`}`;
}

function deliveryLines({ plan, manifest, gate, status, all }: ApprovalScreen, paint: Colours): string[] {
  const skipped = status.steps.filter(({ state, stage }) => stage === 'publish' && state === 'skipped');
  const deliveries = deliveriesOf(plan, manifest, new Set(skipped.map(({ id }) => id)));
  const nowhere = undelivered(manifest, deliveries).map(({ name, digest, step }) => `${name}  ${digest}  (${step})`);
  return [
    ...(deliveries.length === 0 ? ['No target gets anything.'] : []),
    ...deliveries.flatMap((one) => oneTarget(one, { plan, manifest, gate, all }, paint)),
    ...(nowhere.length === 0 ? [] : ['Sealed, and published nowhere:', ...cut(nowhere, all)]),
    ...skipped.map(({ id, because = '' }) => `Left out: ${plain(id)}${because === '' ? '' : `: ${plain(because)}`}`),
  ];
}

function oneTarget(
  { target, files }: Delivery,
  { plan, manifest, gate, all }: Omit<ApprovalScreen, 'status'>,
  paint: Colours,
): string[] {
  const at = gate.targets.find(({ name }) => name === target.name)?.address ?? target.address;
  const bytes = files.reduce((sum, { artifact }) => sum + artifact.size, 0);
  const to = [target.kind, at, ...(target.repository === null ? [] : [target.repository])].map(plain).join(' ');
  const rows = files.map(({ artifact, tags }) => {
    const { name, kind, digest, labels } = artifact;
    if (kind === 'source') return `${tagOf(target)}commit ${labels['commit']}`;
    const named = kind === 'image' ? `${name}:${namesOf(tags, plan.release.version).join(', ')}` : name;
    const notes = manifest.artifacts.find((one) => one.digest === digest && one.name === name)?.notes ?? [];
    return `${named}  ${digest}  ${size(artifact.size)}${notes.length > 0 ? `  ${notes.join('; ')}` : ''}`;
  });
  return [
    `${paint.bold(plain(target.name))} (${to}) gets ${counted(files.length, 'file')}, ${size(bytes)}:`,
    ...cut([...linesOf(target), ...rows], all),
  ];
}

const tagOf = ({ extra }: Target): string => (extra?.kind === 'git-tag' ? `tag ${extra.tag} on ` : '');

/** The address of a command is a word: its line decides where the bytes go. */
const linesOf = (target: Target): readonly string[] => [
  ...(target.kind in TARGETS
    ? []
    : [`this program does not know the kind ${target.kind}: the target may get fewer of these`]),
  ...(target.extra?.kind === 'command' ? [`sent by: ${target.extra.upload}`] : []),
];

/** Names that move once the gate has opened. */
const pointersOf = ({ steps }: Plan): readonly string[] =>
  steps.flatMap(({ kind, params }) => {
    if (kind !== 'movePointer') return [];
    const { target, name, to, when } = params as StepOf<'movePointer'>['params'];
    return [`${target.name}: ${name} to ${to}, ${when}`];
  });

const cut = (rows: readonly string[], all: boolean): readonly string[] =>
  first(rows, all ? Infinity : ROWS, (some) => some.map((row) => `  ${plain(row)}`), 'slipway approve GATE --show');
