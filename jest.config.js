/** One run for all suites: `tests/integration` starts real servers, everything else is quick. @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  transform: { '\\.ts$': ['@swc/jest'] },
  // Sources import each other with the ending that Node will see.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.slipway/', '<rootDir>/.tools/'],
  testTimeout: 120_000,
};
