const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

const WAITS = ['pending', 'todo'];

/** Writes the counts of a Jest run to the file that SLIPWAY_CHECK_REPORT names. Jest's own `--json` dies of a failure that holds
 * itself, as errors of Node and of ours may, and with it the count of everything else. */
module.exports = class Reporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_, results) {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } = results;
    const report = {
      passed: numPassedTests,
      // A suite that did not even load counts as one failure.
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests + numTodoTests,
      skips: results.testResults.flatMap((suite) =>
        suite.testResults
          .filter(({ status }) => WAITS.includes(status))
          .map(({ fullName }) => `${relative(this.rootDir, suite.testFilePath)}: ${fullName}`),
      ),
      suites: results.testResults.map(({ testFilePath, perfStats }) => ({
        file: relative(this.rootDir, testFilePath),
        ms: perfStats.end - perfStats.start,
      })),
    };
    writeFileSync(process.env.SLIPWAY_CHECK_REPORT, JSON.stringify(report));
  }
};
