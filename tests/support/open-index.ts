import type { IndexOpener } from '../../src/activities/index/ports.js';
import { home } from '../../src/adapters/home.js';
import { indexOpener } from '../../src/cli/cache/index-opener.js';

/** Opens indexes as a command in the home of the moment does. */
export const openIndex: IndexOpener = (index) => indexOpener({ env: process.env, home: home() })(index);
