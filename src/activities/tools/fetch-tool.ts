import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { hexOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { sha256OfFile } from '../sha256.js';
import { newFolder } from '../step/inside.js';
import type { Body } from '../work.js';
import { toolDigestDiffers, toolNotExecutable } from './errors.js';
import type { ToolServer } from './ports.js';

/** A script, ELF, Mach-O for one machine or several, and PE. */
const PROGRAM = /^(#!|\x7fELF|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ)/;

/** Fetches a program into the store, by the digest that the release file says. Throws TOOL_DIGEST_DIFFERS or TOOL_NOT_EXECUTABLE. */
export const createFetchTool = ({ toolServer }: { readonly toolServer: ToolServer }): Body<'fetchTool'> =>
  async function fetchTool(work) {
    const { tool, says: version, file, machine, at: url, sha256 } = work.step.params;
    const shown = `${url} (${tool} ${version}${file === null ? '' : `, as ${file} says`})`;
    const from = { url, shown, path: `tools.${tool}.at` };
    const path = join(newFolder(work, 'fetched'), tool);
    await toolServer.download(from, path, work.signal);
    const found = hexOf(await sha256OfFile(path));
    if (found !== sha256) throw fail(toolDigestDiffers(from, `tools.${tool}.sha256.${machine}`, sha256, found));
    const begins = await text(createReadStream(path, { end: 15, encoding: 'latin1' }));
    if (!PROGRAM.test(begins)) throw fail(toolNotExecutable(from, begins));
    const artifact = await work.keep(path, 'tool', { version, machine });
    return { artifacts: [artifact], facts: { version }, note: `${tool} ${version}, ${artifact.size} bytes` };
  };
