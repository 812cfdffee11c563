/** @needs sandbox compiler spack @slow */
import { testSpack } from './contract.js';
import { realSpack } from './planned.js';

describe('given Spack', () => testSpack(realSpack()));
