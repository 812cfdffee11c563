/** One figure against its reference. `goal` says in words what is wanted, of the ratio or of the value itself; where the figure
 * could not be taken here, `goal` says why not, and `value` is null.
 * @param goal {{atMost: number, of: 'ratio' | 'value'}} */
export function row(name, value, unit, { reference = null, goal = null } = {}) {
  const ratio = value === null || reference === null ? null : rounded(value / reference, 3);
  const judged = goal && (goal.of === 'ratio' ? ratio : value);
  return {
    ...{ name, value: value === null ? null : rounded(value, 3), unit },
    ...{ reference: reference === null ? null : rounded(reference, 3), ratio },
    goal: goal && told(goal, unit),
    reached: goal === null || judged === null ? null : judged <= goal.atMost,
  };
}

export const atMost = (most) => ({ atMost: most, of: 'value' });
export const ratioAtMost = (most) => ({ atMost: most, of: 'ratio' });

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

const told = (goal, unit) => (goal.of === 'ratio' ? `ratio ≤ ${goal.atMost}` : `≤ ${goal.atMost} ${unit}`.trim());

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

/** The columns of a row as people read them; also of the table in docs/performance.md. */
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
