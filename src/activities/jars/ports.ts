import type { Archives } from '../source/ports.js';
import type { TestPorts } from '../tests/ports.js';

export interface JarPorts extends Pick<TestPorts, 'programs' | 'containers'> {
  readonly archives: Archives;
}
