import { ownSourcesOf } from '../../model/sources.js';
import type { SourceRef } from '../../model/params.js';
import type { Effect, Plan, PlanImport, Step } from '../../model/plan.js';
import { entryOf } from '../../model/ids.js';
import { counted } from '../../model/counted.js';
import { tally } from '../../model/grouped.js';
import type { JsonObject } from '../../model/json.js';
import { duration } from '../render/duration.js';
import { plain, section, table, type Colours } from '../render/paint.js';
import { usesIn } from '../../model/secret.js';
import type { FeatureScreens, PlanSection } from './feature-screens.js';
import { noticeLines, noticesOf } from './notices.js';
import { useRows } from './uses.js';

/** The plan as a person reviews it: what will run, what was left out and why, and what changes outside. */
export function planLines(
  plan: Plan,
  digest: string,
  paint: Colours,
  features: Readonly<Record<string, FeatureScreens>> = {},
  settings: JsonObject | null = null,
): readonly string[] {
  const sections = Object.values(features).flatMap(({ planned }) => planned ?? []);
  const { release, profile } = plan;
  return [
    `${paint.bold(`${release.name} ${release.version}`)} from ${sourcesText(plan)}, profile ${profile.name}${kindOf(plan)}`,
    `plan ${digest}`,
    '',
    ...table([['STAGE', 'STEP', 'QUEUE', 'NEEDS'], ...plan.steps.map(stepRow)]).map((line, at) =>
      at === 0 ? paint.dim(line) : line,
    ),
    ...titled(
      'Sources',
      ownSourcesOf(plan).map(({ step, ref }) => [step, sourceText(ref, null)]),
      paint,
    ),
    ...titled('Settings', settingRows(plan, features, settings), paint),
    ...[TAKEN, ...sections].flatMap(({ title, rows }) => titled(title, plan.steps.flatMap(rows), paint)),
    ...titled(
      'Left out',
      plan.dropped.map(({ id, because }) => [id, because]),
      paint,
    ),
    ...titled(
      'Assumed done',
      (plan.assumed ?? []).map(({ id, because, neededBy }) => [
        id,
        because,
        neededBy.length === 0 ? '' : `needed by ${neededBy.join(', ')}`,
      ]),
      paint,
    ),
    ...titled(
      'Unchanged, and planned for its files',
      (plan.kept ?? []).map(({ id, because, readBy }) => [id, because, `read by ${readBy.join(', ')}`]),
      paint,
    ),
    ...titled('Imported', (plan.imports?.of ?? []).map(importRow), paint),
    ...noticeLines(noticesOf(plan)),
    ...titled('Where nobody serves the queue', unservedRows(plan.steps), paint),
    ...titled('How entries run', entryRows(plan.steps), paint),
    ...titled('What steps look up', useRows(usesIn(plan)), paint),
    ...titled('What changes outside, in this order', plan.effects.map(effectRow), paint),
    '',
    counts(plan),
  ];
}

/** Settings before the rest is counted. */
const MOST_SETTINGS = 20;

/** Presets that the command names, and values that presets and options change. */
function settingRows(
  { given }: Plan,
  features: Readonly<Record<string, FeatureScreens>>,
  document: JsonObject | null,
): readonly (readonly string[])[] {
  const screens = document === null ? [] : Object.values(features);
  const rows = screens.flatMap(({ settings }) => settings?.changed(document!) ?? []);
  const more = rows.length - MOST_SETTINGS;
  return [
    ...(given?.preset ? [['--preset', given.preset.join(', '), '']] : []),
    ...rows.slice(0, MOST_SETTINGS).map((row) => row.map(plain)),
    ...(more > 0 ? [[`and ${more} more`, '', '`slipway config` lists all']] : []),
  ];
}

const importRow = ({ id, from, entries, counts }: PlanImport): readonly string[] => [
  id,
  `from ${from}`,
  entries === 1 ? '1 entry' : `${entries} entries`,
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
];

const kindOf = ({ pipeline, profile }: Plan): string =>
  pipeline ? ' (a pipeline)' : profile.rehearsal ? ' (a rehearsal)' : '';

function sourcesText(plan: Plan): string {
  const { source } = plan;
  const others = ownSourcesOf(plan).length;
  if (source.kind === 'none') return counted(others, 'source');
  return `${sourceText(source, source.branch)}${others === 0 ? '' : ` and ${counted(others, 'further source')}`}`;
}

function sourceText(source: SourceRef, branch: string | null): string {
  if (source.kind === 'sdist') return `sdist ${source.name}==${source.version} (sha256 ${source.sha256.slice(0, 12)}…)`;
  return [
    `git commit ${source.commit.slice(0, 12)}`,
    ...(branch ? [`on ${branch}`] : []),
    ...(source.folder ? [`in ${source.folder}`] : []),
  ].join(' ');
}

/** Places of taken wheels, with the commits that planning decided. */
const TAKEN: PlanSection = {
  title: 'Wheels that are taken',
  rows: (step) => {
    if (step.kind !== 'takeWheel') return [];
    const { from, waitMs } = step.params;
    return [[step.id, 'at' in from ? from.at : from.name, `for at most ${duration(waitMs)}`]];
  },
};

const stepRow = (step: Step): readonly string[] => [
  step.stage,
  step.id,
  step.on,
  (step.kind === 'assembleIndex' ? step.params.children.map((child) => child.step) : step.needs).join(' ') ||
    started(step),
];

const started = (step: Step): string =>
  step.stage === 'prove'
    ? ''
    : step.after.length > 0
      ? step.stage === 'report'
        ? '(after everything)'
        : `(after ${step.after.filter((id) => !id.startsWith('prove/')).join(' ')})`
      : step.stage === 'seal'
        ? '(every build and test)'
        : '(every proof)';

/** Returns a row for each entry with `cache: false` or `parallel`. */
function entryRows(steps: readonly Step[]): readonly (readonly string[])[] {
  const said = steps.flatMap(({ id, cache, pool }): [string, string][] => {
    const words = [...(cache ? ['in each run'] : []), ...(pool ? [`at most ${pool.limit} at once`] : [])];
    return words.length > 0 ? [[entryOf(id), words.join(', ')]] : [];
  });
  return [...new Map(said)];
}

/** Returns the rows about queues without a worker, by queue and rule. */
function unservedRows(steps: readonly Step[]): readonly (readonly string[])[] {
  const keys = steps.flatMap(({ on, unserved }) => {
    if (!unserved) return [];
    const limit = unserved.limitMs === undefined ? '' : ` ${duration(unserved.limitMs)}`;
    return `${on}\n${unserved.said}.unserved: ${unserved.answer}${limit}`;
  });
  return [...tally(keys)].map(([key, count]) => {
    const [queue, said] = key.split('\n') as [string, string];
    return [queue, counted(count, 'step'), said];
  });
}

const effectRow = (effect: Effect): readonly string[] => [
  `${effect.what}`,
  effect.target,
  effect.name,
  `undo: ${effect.undo}`,
];

const titled = (title: string, rows: readonly (readonly string[])[], paint: Colours): readonly string[] =>
  section(
    paint.bold(title),
    table(rows).map((line) => `  ${line}`),
  );

function counts(plan: Plan): string {
  const stages = [...new Set(plan.steps.map((step) => step.stage))].map(
    (stage) => `${stage} ${plan.steps.filter((step) => step.stage === stage).length}`,
  );
  const left = plan.dropped.length > 0 ? `, ${plan.dropped.length} left out` : '';
  return `${plan.steps.length} steps (${stages.join(', ')})${left}, ${plan.effects.length} effects, ${plan.bundle.length} bundle files`;
}
