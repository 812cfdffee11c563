import { relative } from 'node:path';

/** Counts of a Jest JSON report. A suite that did not even load counts as one failure. */
export function readReport(text, root) {
  const report = JSON.parse(text);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    skips: report.testResults.flatMap((suite) => skipsOf(suite, root)),
  };
}

const skipsOf = (suite, root) =>
  suite.assertionResults
    .filter((test) => test.status === 'pending' || test.status === 'todo')
    .map((test) => `${relative(root, suite.name)}: ${test.fullName}`);

export const sum = (counts) => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
  skipped: counts.reduce((total, { skipped }) => total + skipped, 0),
});
