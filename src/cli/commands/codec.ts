import { fail } from '../../model/failure.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { noSuchCodecAction, notAPort } from '../errors.js';
import type { Ports } from '../ports.js';

const PORT = '8888';

export const codec: CommandSpec<Ports> = {
  name: 'codec',
  summary:
    'payloads in Temporal: `codec serve` opens them for its web page and command line tool, `codec key` encrypts them',
  arguments: [
    {
      name: '<action>',
      help: 'key: print a new key. serve: decompress and decrypt for tools on this machine, until Ctrl-C',
    },
    { name: '[id]', help: 'of key: what it is called (default: today)' },
  ],
  options: [
    { flags: '--port <number>', help: 'of serve: where it listens, on 127.0.0.1', default: PORT },
    { flags: '--origin <addresses>', help: 'of serve: web pages that may ask besides that of `slipway up`, by comma' },
  ],
  async run(input, io, ports) {
    const action = input.args['action'] ?? '';
    if (action === 'serve') return serve(input, io, ports);
    if (action !== 'key') throw fail(noSuchCodecAction(action));
    const id = input.args['id'] ?? new Date().toISOString().slice(0, 10);
    io.out((await ports.codec()).newKeyLine(id));
    return 0;
  },
};

async function serve({ options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const port = Number(options['port']);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw fail(notAPort(String(options['port'])));
  const said = String(options['origin'] ?? '').split(',');
  const page = (await ports.services()).ui();
  const origins = [...said.map((one) => one.trim().replace(/\/$/, '')), page ?? ''].filter((one) => one !== '');
  const server = await (await ports.codec()).serve(port, origins);
  io.err(
    `codec server at ${server.address}${origins.length > 0 ? `, also for ${origins.join(', ')}` : ''}; Ctrl-C ends it`,
  );
  io.err(`the command line tool: temporal workflow show --codec-endpoint ${server.address}`);
  const signal = ports.interrupt();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
  return 0;
}
