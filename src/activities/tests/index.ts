import { createRunCommand } from '../steps/run-command.js';
import type { Bodies } from '../work.js';
import type { TestPorts } from './ports.js';
import { createRunTest } from './run-test.js';

export const createTestBodies = (ports: TestPorts) =>
  ({
    runTest: createRunTest(ports),
    runCommand: createRunCommand(ports),
    tidyUp: createRunCommand(ports),
  }) satisfies Bodies;

export type { TestPorts } from './ports.js';
