import { fail } from '../../model/failure.js';
import { cacheCheck } from '../cache/check.js';
import { cacheTakesNoWheel, noSuchCacheAction } from '../cache/errors.js';
import { cachePrune } from '../cache/prune.js';
import { cacheRebuild } from '../cache/rebuild.js';
import { cacheStatus } from '../cache/status.js';
import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

const ACTIONS = { status: cacheStatus, check: cacheCheck, prune: cachePrune, rebuild: cacheRebuild } as const;

export const cache: CommandSpec<Ports> = {
  name: 'cache',
  summary:
    'the wheels that lists want: `cache status` tells what became of each, `cache check` whether the index is sound (exit 1 if not), `cache prune` what nothing needs any more, and removes it, `cache rebuild` puts a lost index back',
  arguments: [
    {
      name: '<action>',
      help: 'status: a table of targets, and the wheels that need a look; it asks no index. check: whether files, entries and pages of the index agree. prune: a review of what nothing needs; with --apply it is removed. rebuild: puts wheels back from the store',
    },
    { name: '[file]', help: 'release file or its folder (default: slipway.yaml)' },
    { name: '[wheels...]', help: 'rebuild: NAME or NAME==VERSION' },
  ],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    {
      flags: '--run <run>',
      help: 'status: name, workflow id or first digits of a run id (default: the newest run of the file)',
    },
    { flags: '--repair', help: 'check: write what can be derived: sidecars, lost entries, pages. Never a wheel' },
    { flags: '--all', help: 'rebuild: every wheel' },
    { flags: '--target <name>', help: 'prune: the index, if the file prunes several' },
    { flags: '--log <path>', help: 'prune: access log of the web server of the index, with its rotated parts' },
    {
      flags: '--folder <path>',
      help: 'prune: a folder with wheels that no index of Slipway holds, judged by name and digest',
    },
    { flags: '--apply <digest>', help: 'prune: removes what this review names, if it still holds' },
    { flags: '--reason <text>', help: 'prune: why; kept in the store' },
    { flags: '--by <name>', help: 'prune: who says so (default: $SLIPWAY_BY, else your login)' },
    { flags: '--offline', help: 'prune: asks no index; what it does not know stays' },
    { flags: '--json', help: 'the same as JSON, with every wheel' },
  ],
  async run(input, io, ports) {
    const action = input.args['action'] ?? '';
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : null;
    if (act === null) throw fail(noSuchCacheAction(action, Object.keys(ACTIONS)));
    const [extra] = input.rest ?? [];
    if (action !== 'rebuild' && extra !== undefined) throw fail(cacheTakesNoWheel(action, extra));
    return act(input, io, ports);
  },
};
