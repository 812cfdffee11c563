import type { Problem } from '../model/failure.js';
import { isLabelWord, type LabelWord } from '../model/label.js';
import type { Plan } from '../model/plan.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import { problems, type Spot } from './errors.js';
import type { Facts } from './facts.js';
import type { ReadFile } from './read/release-file.js';
import { problems as snapshots } from './snapshot/errors.js';
import { snapshotOf, versionOf } from './version.js';

type Head = Plan['release'] & Pick<Plan, 'pipeline'>;

/** Name of the release or pipeline that a file describes. */
export const nameOf = ({ release, pipeline }: Pick<ReleaseFile, 'release' | 'pipeline'>): string =>
  (release ?? pipeline)!.name;

/** Returns name and version of a release, or name and label of a pipeline. */
export function plannedHead(file: ReadFile, facts: Facts, found: Problem[]): Head {
  const { release, pipeline } = file.content;
  const label = facts.given?.label;
  const name = nameOf(file.content);
  if (release === undefined) {
    if (facts.given?.snapshot === true) found.push(snapshots.ofPipeline(file.at(['pipeline'], 'key')));
    const spot = file.at(['pipeline', 'label']);
    return { name, version: labelOf(label ?? pipeline!.label, facts, spot, found), pipeline: true };
  }
  if (label !== undefined) found.push(problems.labelOfRelease(file.at(['release'], 'key'), label));
  return { name, version: snapshotOf(versionOf(release, file, facts, found), file, facts, found) };
}

function labelOf(said: string, facts: Facts, spot: Spot, found: Problem[]): string {
  if (!isLabelWord(said)) return said;
  const label = LABELS[said](facts);
  if (label === null) found.push(problems.labelWithoutCommit(spot));
  return label ?? '0';
}

/** First digits of a commit in a label. */
const COMMIT_DIGITS = 12;

/** Null where the source has no commit. Times are UTC. */
const LABELS: Readonly<Record<LabelWord, (facts: Facts) => string | null>> = {
  commit: ({ git }) => git?.commit.slice(0, COMMIT_DIGITS) ?? null,
  date: ({ nowMs }) => new Date(nowMs).toISOString().slice(0, 10),
  minute: ({ nowMs }) => `${new Date(nowMs).toISOString().slice(0, 16).replace(':', '')}Z`,
};
