import { problem } from './problem.js';
import { MOST_STEPS, type Share } from './plan-size.js';

const TOLD = 3;

/** @param shares the largest first
 * @param counted false if counting stopped at `steps` */
export const planTooLarge = problem.config((steps: number, shares: readonly Share[], counted = true) => [
  'PLAN_TOO_LARGE',
  `the plan has ${counted ? '' : 'more than '}${steps} steps; one run carries at most ${MOST_STEPS}. ${madeBy(shares)}`,
  `Split the release: ${shares[0]?.name ?? 'its tests'} in a release file of its own, which takes up what this one published${fewer(shares[0])}.`,
]);

const madeBy = (shares: readonly Share[]): string =>
  `Most come from ${shares
    .slice(0, TOLD)
    .map(({ name, steps, axes }) => `${name} (${[...sizes(axes), `${steps} steps`].join(', ')})`)
    .join(', ')}`;

/** `4 of python × 1000 of shard`. */
function sizes(axes: Share['axes']): readonly string[] {
  const told = Object.entries(axes).map(([axis, values]) => `${values} of ${axis}`);
  return told.length === 0 ? [] : [told.join(' × ')];
}

function fewer(share: Share | undefined): string {
  const [widest] = Object.entries(share?.axes ?? {}).sort(([, a], [, b]) => b - a);
  return widest === undefined ? '' : `; or give it fewer than ${widest[1]} values of ${widest[0]}`;
}

/** @param what a row of a table: `kind` */
export const featureNameTaken = problem.config((what: string, name: string, first: string, second: string) => [
  'FEATURE_NAME_TAKEN',
  first === second
    ? `${ownerText(first)} has two rows for the ${what} "${name}"`
    : `${ownerText(first)} and ${ownerText(second)} both have a ${what} "${name}"`,
  `Rename it in src/features/${second}.`,
]);
const ownerText = (owner: string): string => (owner === 'core' ? 'the core' : `feature "${owner}"`);

export const notPlaced = problem.config(
  (what: string, { owner, name, after }: Readonly<Record<'owner' | 'name' | 'after', string>>, isCircle: boolean) => [
    'FEATURE_ROW_NOT_PLACED',
    `${what} "${name}" of ${ownerText(owner)} comes after "${after}", which ${isCircle ? 'comes after it in a circle' : `is no ${what}`}`,
    `Name a ${what} of the core as \`after\` in src/features/${owner}.`,
  ],
);
