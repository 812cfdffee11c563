/** Rows of several runs as one: by name, in the order in which they first come. A goal is reached where the median reaches it, which
 * with an odd number of runs is where most of them did; a row that a run could not take is told as that run told it. */
export function mergedRuns(runs, middle) {
  const names = [...new Set(runs.flatMap((rows) => rows.map(({ name }) => name)))];
  return names.map((name) => {
    const same = runs.flatMap((rows) => rows.filter((row) => row.name === name));
    const taken = same.filter(({ value }) => value !== null);
    const of = (field) => {
      const numbers = taken.map((row) => row[field]).filter((one) => one !== null);
      return numbers.length === 0 ? null : middle(numbers);
    };
    const judged = same.map(({ reached }) => reached).filter((one) => one !== null);
    return {
      ...{ name, unit: same[0].unit, goal: (taken[0] ?? same[0]).goal },
      ...{
        value: of('value'),
        values: taken.map(({ value }) => value),
        reference: of('reference'),
        ratio: of('ratio'),
      },
      reached: judged.length === 0 ? null : judged.filter(Boolean).length * 2 > judged.length,
    };
  });
}
