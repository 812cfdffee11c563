import { home } from '#slipway/adapters/home.js';
import type { Input } from '#slipway/cli/command.js';
import { openPorts } from '#slipway/cli/open-ports.js';
import { exit, processIo } from '#slipway/cli/process-io.js';
import { tellFailure } from '#slipway/cli/tell-failure.js';
import { DRILL_ASKED } from '#slipway/model/drill.js';
import { command } from './command.js';
import { drill, victimsHere } from './drill.js';

const { env } = process;
const io = processIo();
const here = { victims: victimsHere(), drill: (asked: Parameters<typeof drill>[0]) => drill(asked, home(), env) };
const spec = { name: 'drill', arguments: [{ name: '[file]' }] };
const input = JSON.parse(env[DRILL_ASKED]!) as Input;
void command(input, io, openPorts(), here)
  .catch((error: unknown) => tellFailure(error, { spec, input }, io, env['SLIPWAY_DEBUG'] !== undefined))
  .then(exit);
