import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const init: CommandSpec<Ports> = {
  name: 'init',
  summary: 'write a release file for a checkout from what its files say; asks nothing, runs nothing, replaces nothing',
  arguments: [{ name: '[folder]', help: 'folder of the project (default: here)' }],
  options: [{ flags: '--print', help: 'print the file instead of writing it' }],
  async run({ args, options }, io, ports) {
    const folder = args['folder'] ?? '.';
    const { initFile } = await import('../../plan/init/init.js');
    const checkouts = await ports.checkouts();
    const { path, text } = initFile(await checkouts.read(folder));
    if (options['print'] === true) {
      io.out(text.trimEnd());
      return 0;
    }
    await checkouts.writeNew(folder, path, text);
    const file = folder === '.' ? path : `${folder.replace(/\/+$/, '')}/${path}`;
    const named = file === 'slipway.yaml' ? '' : ` ${file}`;
    io.out(`wrote ${file}`);
    if (/^pythons: .*,/m.test(text)) io.out('fewer `pythons:` in it make a first run faster');
    io.out(`next: slipway plan${named}, then slipway run${named} --wait; slipway up starts the services`);
    return 0;
  },
};
