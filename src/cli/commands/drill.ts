import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

/** Runs tools/drill, which reads the arguments and options. */
export const drill: CommandSpec<Ports> = {
  name: 'drill',
  summary:
    'rehearse a release file and kill what it stands on, at points drawn by a seed; nothing may be lost or sent twice',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [
    { flags: '--points <number>', help: 'how often something is killed', default: '20' },
    { flags: '--seed <number>', help: 'the same seed draws the same points (default: a new one, which is told)' },
    { flags: '--rehearsals <number>', help: 'over how many rehearsals (default: 10, fewer for less than 20 points)' },
    { flags: '--steps <prefix>', help: 'only at steps whose id begins so: publish/', default: '' },
    {
      flags: '--kill <names>',
      help: 'only these: worker, workflows, supervisor, temporal, index, web, registry, staging, docker',
    },
    { flags: '--json', help: 'one JSON object: points, lost, twice, orphans, seed, and each rehearsal' },
  ],
  run: (input, _io, ports) => ports.drill(input),
};
