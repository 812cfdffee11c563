import type { RunStatus } from '../../model/messages.js';
import { shellWord } from '../../model/quoted.js';
import { nextCommands, type NextFacts } from '../../model/run-next.js';
import { plain, section, type Colours } from '../render/paint.js';

/** Returns the commands to type next, each complete. */
export function nextLines(status: RunStatus, facts: NextFacts, paint: Colours): readonly string[] {
  const { state, workflowId } = status;
  const title = state === 'held' ? `${paint.bold('held')}  ${workflowId} waits for an action:` : paint.bold('Next');
  return section(
    title,
    nextCommands(status, facts).map((line) => `  ${plain(line)}`),
  );
}

/** Returns a command with the release file, which is left out if it is the default. */
export function withFile(command: string, file: string | null): string {
  if (file === null) return `${command} FILE`;
  return file === 'slipway.yaml' ? command : `${command} ${shellWord(file)}`;
}
