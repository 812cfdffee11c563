const { proxyActivities } = require('@temporalio/workflow');

/** What Temporal itself costs: one workflow, activities that do nothing on a second queue, so many under way at once. Written by
 * hand, without edges, windows, words or generations. */
exports.floor = async function floor({ count, window, queue }) {
  const { nothing } = proxyActivities({ taskQueue: queue, startToCloseTimeout: '1 minute' });
  let next = 0;
  const lane = async () => {
    while (next < count) await nothing({ step: next++ });
  };
  await Promise.all(Array.from({ length: window }, lane));
};
