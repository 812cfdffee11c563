import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { hexOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { sha256OfFile } from '../sha256.js';
import { newFolder } from '../step/inside.js';
import type { Body } from '../work.js';
import { toolDigestDiffers, toolNotExecutable } from './errors.js';
import type { ToolFile, ToolServer } from './ports.js';

/** Fetches a program into the store, by the digest that the release file says. Throws TOOL_DIGEST_DIFFERS or TOOL_NOT_EXECUTABLE. */
export const createFetchTool = ({ toolServer }: { readonly toolServer: ToolServer }): Body<'fetchTool'> =>
  async function fetchTool(work) {
    const { tool, says, machine, at, sha256 } = work.step.params;
    const what = `${tool} ${says.version}${says.file === null ? '' : `, as ${says.file} says`}`;
    const from: ToolFile = { url: at, place: `tools.${tool}.at`, what };
    const path = join(newFolder(work, 'fetched'), tool);
    await toolServer.download(from, path, work.signal);
    const found = hexOf(await sha256OfFile(path));
    if (found !== sha256) throw fail(toolDigestDiffers(from, `tools.${tool}.sha256.${machine}`, sha256, found));
    const begins = await beginOf(path);
    if (!PROGRAM.test(begins)) throw fail(toolNotExecutable(from, begins));
    const artifact = await work.keep(path, 'tool', { version: says.version, machine });
    const { version } = says;
    return { artifacts: [artifact], facts: { version }, note: `${tool} ${version}, ${artifact.size} bytes` };
  };

/** A script, ELF, Mach-O for one machine or several, and PE. */
const PROGRAM = /^(#!|\x7fELF|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ)/;

async function beginOf(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
