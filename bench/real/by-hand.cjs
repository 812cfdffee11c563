const { proxyActivities } = require('@temporalio/workflow');

/** What Temporal itself costs where steps are commands: one workflow that starts an activity for each step whose needs are done, in
 * the order of the file. Nothing is stored, known, told or asked, and nothing fails.
 * @param steps {{name: string, needs: string[], line: string}[]}
 * @param window so many are under way at once */
exports.byHand = async function byHand({ steps, window, queue }) {
  const { run } = proxyActivities({
    ...{ taskQueue: queue, startToCloseTimeout: '10 minutes' },
    retry: { maximumAttempts: 1 }, // a command that failed would be counted twice
  });
  const missing = new Map(steps.map(({ name, needs }) => [name, needs.length]));
  const heirs = new Map(steps.map(({ name }) => [name, []]));
  for (const step of steps) for (const need of step.needs) heirs.get(need).push(step);
  const ready = steps.filter(({ needs }) => needs.length === 0);
  const underWay = new Map();
  const carried = async ({ name, line }) => {
    await run(line);
    underWay.delete(name);
    for (const heir of heirs.get(name)) {
      missing.set(heir.name, missing.get(heir.name) - 1);
      if (missing.get(heir.name) === 0) ready.push(heir);
    }
  };
  while (ready.length + underWay.size > 0) {
    for (const step of ready.splice(0, window - underWay.size)) underWay.set(step.name, carried(step));
    await Promise.race(underWay.values());
  }
};
