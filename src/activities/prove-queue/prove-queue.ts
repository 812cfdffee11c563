import { createHash } from 'node:crypto';
import { fail, type Problem } from '../../model/failure.js';
import { canonical } from '../../model/json.js';
import { pythonAbsent } from '../deps/errors.js';
import type { Interpreters } from '../deps/ports.js';
import type { Body, Work } from '../work.js';
import { diskLow, engineSilent, headersAbsent, machineDiffers, toolAbsent } from './errors.js';
import { freeMiB, libcName, machineName, measureTool } from './measure.js';
import type { Engine } from './ports.js';

type Prove = Work<'proveQueue'>;
type Table = Record<string, string>;

/** What this queue's workers can do, measured by running it. All that is missing is told at once. */
export const createProveQueue = (interpreters: Interpreters, engine?: Engine): Body<'proveQueue'> =>
  async function proveQueue(work) {
    const problems: Problem[] = [...machine(work), ...(await disk(work)), ...(await reachable(work, engine))];
    const tools = await measureTools(work, problems);
    const pythons = await findPythons(work, interpreters, problems);
    if (problems.length > 0) throw fail(problems);
    const digest = createHash('sha256')
      .update(canonical({ machine: machineName(), libc: libcName(), tools, pythons }))
      .digest('hex');
    return {
      artifacts: [],
      facts: { toolchain: `sha256:${digest}`, tools, pythons },
      note: `${Object.keys(tools).length} tools, ${Object.keys(pythons).join(' ') || 'no Python asked for'}, toolchain ${digest.slice(0, 12)}`,
    };
  };

/** A queue that is named after a kind of machine must be served by one. */
function machine(work: Prove): readonly Problem[] {
  const { queue } = work.step.params;
  const named = /^(linux|macos|windows)-(x86_64|aarch64|arm64)$/.test(queue);
  return named && queue !== machineName() ? [machineDiffers(queue, machineName())] : [];
}

async function disk(work: Prove): Promise<readonly Problem[]> {
  const { queue, diskMiB } = work.step.params;
  const free = await freeMiB(work.folder);
  return free < diskMiB ? [diskLow(queue, free, diskMiB)] : [];
}

/** Having the client does not mean that an engine answers. */
async function reachable(work: Prove, engine: Engine | undefined): Promise<readonly Problem[]> {
  const { queue, tools } = work.step.params;
  const why = engine && tools.includes('docker') ? await engine.silence() : null;
  return why === null ? [] : [engineSilent(queue, why)];
}

async function measureTools(work: Prove, problems: Problem[]): Promise<Table> {
  const { tools, queue } = work.step.params;
  const versions = await Promise.all(tools.map((tool) => measureTool(work, tool)));
  const table: Table = {};
  for (const [index, tool] of tools.entries()) {
    const version = versions[index];
    if (version) table[tool] = version;
    else problems.push(toolAbsent(tool, queue));
  }
  return table;
}

async function findPythons(work: Prove, interpreters: Interpreters, problems: Problem[]): Promise<Table> {
  const table: Table = {};
  for (const tag of work.step.params.pythons) {
    const python = await interpreters.find(tag);
    if (python === null) problems.push(pythonAbsent(tag, await interpreters.tags()));
    else if (!python.headers) problems.push(headersAbsent(tag, python.version));
    else table[tag] = python.version;
  }
  return table;
}
