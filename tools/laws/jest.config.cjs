/** The search for broken laws is no test of `npm test`: it has an ending of its own. @type {import('jest').Config} */
module.exports = { ...require('../../jest.config.js'), rootDir: '../..', testMatch: ['**/*.laws.ts'] };
