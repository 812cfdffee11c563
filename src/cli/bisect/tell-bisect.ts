import type { BisectStatus } from '../../model/bisect.js';
import type { ExitCode, Io } from '../command.js';
import { findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { answerLines, LEGEND, triedLines } from '../screens/bisect.js';

/** Prints the tries of a bisect and its answer, if it has one. @param asked its workflow id */
export async function tellBisect(asked: string, json: boolean, io: Io, ports: Ports): Promise<ExitCode> {
  await using client = await requireClient(ports);
  const { workflowId, run } = await findRun(client, asked);
  const status = await client.bisectStatus(workflowId, run);
  io.out(json ? JSON.stringify(status) : [`${workflowId}  ${status.state}`, ...linesOf(status)].join('\n'));
  return 0;
}

const linesOf = (status: BisectStatus): readonly string[] => [
  ...(status.tried.length > 0 ? [LEGEND, ...triedLines(status)] : []),
  ...(status.answer === undefined ? [] : answerLines(status.answer, status)),
];
