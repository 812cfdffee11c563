/** One run for all suites: `tests/integration` starts real servers, everything else is quick. @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  setupFilesAfterEnv: ['end-runners', 'end-promise-hooks'].map((name) => `<rootDir>/tests/support/${name}.ts`),
  testSequencer: '<rootDir>/tools/check/longest-first.mjs',
  transform: { '\\.ts$': ['@swc/jest'] },
  // Sources import each other with the ending that Node will see.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^#slipway/(.*)\\.js$': '<rootDir>/src/$1',
    // Zod loads its messages in 64 languages, half of its modules, and Jest loads modules anew for each suite. Slipway reads English.
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.slipway/', '<rootDir>/.tools/'],
  // A watchdog for what hangs, and no statement about speed: a busy machine may take long. Tests wait for conditions.
  testTimeout: 15 * 60_000,
};
