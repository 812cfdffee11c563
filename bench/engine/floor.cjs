const { proxyActivities } = require('@temporalio/workflow');

/** What Temporal itself costs: one workflow, activities that do nothing on a second queue, so many under way at once. Written by
 * hand, without edges, windows or actions.
 * @param records the same plan comes from an activity before, and a verdict is kept by one afterwards, as in a release */
exports.floor = async function floor({ count, window, queue, records }) {
  const { nothing } = proxyActivities({ taskQueue: queue, startToCloseTimeout: '1 minute' });
  const { makePlan, keepStatus } = proxyActivities({ startToCloseTimeout: '1 minute' });
  if (records) await makePlan(records);
  let next = 0;
  const lane = async () => {
    while (next < count) await nothing({ step: next++ });
  };
  await Promise.all(Array.from({ length: window }, lane));
  if (records) await keepStatus({ verdict: 'ok' });
};
