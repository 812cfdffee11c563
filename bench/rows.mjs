/** One figure against its reference. `goal` says in words what is wanted: of the ratio, of the value itself, or of what the value is
 * above its reference. If the figure could not be taken here, `goal` says why not, and `value` is null.
 * @param goal {{atMost: number, of: 'ratio' | 'value' | 'over'}}
 * @param over median of the differences, if value and reference were taken in pairs */
export function row(name, value, unit, { reference = null, goal = null, over = value - reference } = {}) {
  const ratio = value === null || reference === null ? null : value / reference;
  const judged = goal && value !== null ? { ratio, value, over }[goal.of] : null;
  return {
    ...{ name, value: value === null ? null : rounded(value, 3), unit },
    ...{
      reference: reference === null ? null : rounded(reference, 3),
      ratio: ratio === null ? null : rounded(ratio, 3),
    },
    goal: goal && (value < 0 ? `${told(goal, unit)}; below zero: its clock starts late` : told(goal, unit)),
    // Judged as measured: a ratio of 1.104 is above 1.1, although both are printed as 1.1.
    reached: judged === null ? null : value >= 0 && judged <= goal.atMost,
  };
}

export const atMost = (most) => ({ atMost: most, of: 'value' });
export const ratioAtMost = (most) => ({ atMost: most, of: 'ratio' });
export const overReferenceAtMost = (most) => ({ atMost: most, of: 'over' });

/** A figure that this machine, or this moment, does not allow. @param goal as in `row` */
export const notTaken = (name, unit, why, goal = null) => ({
  ...row(name, null, unit, { goal }),
  goal: `${goal ? `${told(goal, unit)}; ` : ''}not taken: ${why}`,
});

/** A part that broke: its figures are not reached, whatever they are. */
export const broken = (part, error) => ({
  ...notTaken(part, '', String(error?.message ?? error).split('\n')[0]),
  reached: false,
});

const told = ({ of, atMost: most }, unit) =>
  ({ ratio: `ratio ≤ ${most}`, over: `≤ reference + ${most} ${unit}`, value: `≤ ${most} ${unit}`.trim() })[of];

/** Three digits that count, and no fewer than the whole number has. */
const rounded = (value, digits) => {
  if (!Number.isFinite(value)) return null;
  return Number(Math.abs(value) >= 10 ** digits ? value.toFixed(0) : value.toPrecision(digits));
};

const MARK = new Map([
  [true, '✓'],
  [false, '✗'],
  [null, '–'],
]);
const plain = (number) => (number === null ? '–' : String(number));

/** The columns of a row as `npm run bench` prints them. */
export const columns = ({ name, value, unit, reference, ratio, goal, reached }) => [
  name,
  value === null ? '–' : `${value} ${unit}`.trim(),
  reference === null ? '–' : `${reference} ${unit}`.trim(),
  plain(ratio),
  goal ?? '–',
  MARK.get(reached),
];

export const HEADER = ['figure', 'value', 'reference', 'ratio', 'goal', 'reached'];

/** One line of the table that is printed row by row, while later parts still run. */
export function line([name, value, reference, ratio, goal, reached]) {
  const numbers = [value.padStart(12), reference.padStart(12), ratio.padStart(7)].join(' ');
  return `${reached === 'reached' ? ' ' : reached} ${name.padEnd(58)} ${numbers}  ${goal}`;
}
