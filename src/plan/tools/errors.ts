import { catalogue } from '../../model/catalogue.js';
import { didYouMean } from '../../model/suggest.js';
import { config, shown } from '../errors.js';

/** Problems of `tools:`, and of entries that name a tool. */
export const problems = catalogue(config, {
  nameReserved: (name: string) => [
    'TOOL_NAME_RESERVED',
    `${shown(name)} is the name of a program that Slipway or its steps call`,
    'Rename the tool: its file is on PATH under this name.',
  ],
  unknown: (name: string, known: readonly string[]) => [
    'TOOL_UNKNOWN',
    `${shown(name)} is no entry of \`tools\`${didYouMean(name, known)}`,
    'Write the name of the entry. If you mean a program of the worker, rename the entry that is so alike.',
  ],
  notHere: (name: string, entry: string) => [
    'TOOL_NOT_HERE',
    `${entry} cannot have ${shown(name)}: it runs no command of its own in a sandbox`,
    'Take it out of `tools`. cibuildwheel, tests in an image or on a cluster, and steps with `after` have no fetched tools.',
  ],
  withoutDigest: (name: string, machine: string, entry: string, known: readonly string[]) => [
    'TOOL_WITHOUT_DIGEST',
    `${entry} runs on ${machine}, and ${shown(name)} has no sha256 for it${didYouMean(machine, known)}`,
    `Compare its file with what its makers announce, and write \`sha256: { ${machine}: … }\` with the output of sha256sum.`,
  ],
  versionUnreadable: (file: string, why: string) => [
    'TOOL_VERSION_UNREADABLE',
    `no version in ${shown(file)}: ${why}`,
    'Commit a file that holds the version alone, in one line: letters, digits, ".", "_", "+" and "-".',
  ],
});
