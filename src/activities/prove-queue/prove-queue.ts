import { counted } from '../../model/counted.js';
import { fail, type Problem } from '../../model/failure.js';
import { BROUGHT } from '../../model/programs.js';
import type { LockOptions } from '../../model/params.js';
import { isMachine } from '../../model/worker.js';
import { pythonAbsent } from '../pythons/errors.js';
import type { Interpreters } from '../pythons/ports.js';
import type { Body, Work } from '../work.js';
import { sandboxAbsent } from '../step/errors.js';
import { pinDigest, pinHere } from '../fleet/measure-worker.js';
import { argumentsOf } from '../tool-options.js';
import {
  diskLow,
  engineSilent,
  headersAbsent,
  machineDiffers,
  toolAbsent,
  workerDiffers,
  optionUnknown,
} from './errors.js';
import { differingWorkers, judgeWorkers } from './judge-workers.js';
import { freeMiB, machineName, measureTools } from './measure.js';
import type { Engine, Workers } from './ports.js';

type Prove = Work<'proveQueue'>;
type Table = Record<string, string>;

export interface ProvePorts {
  readonly interpreters: Interpreters;
  /** Absent in tests without an engine. */
  readonly engineAnswer?: Engine;
  /** Absent if no other worker serves the queue. */
  readonly workers?: Workers;
  /** Reason why programs cannot run in a sandbox here; null if they can. */
  readonly noSandbox?: string | null;
}

/** Measures the tools of this queue's workers by running them. Throws every problem at once. */
export const createProveQueue = ({
  interpreters,
  engineAnswer: engine,
  workers,
  noSandbox = null,
}: ProvePorts): Body<'proveQueue'> =>
  async function proveQueue(work) {
    const { queue } = work.step.params;
    const there = workers ? await workers(queue) : [];
    const problems: Problem[] = [...machine(work), ...(await disk(work)), ...(await reachable(work, engine))];
    if (work.step.params.can.includes('sandbox') && noSandbox !== null)
      problems.push(sandboxAbsent(`of ${queue}`, noSandbox));
    const tools = await toolsHere(work, problems);
    const pythons = await findPythons(work, interpreters, problems);
    if (problems.length === 0) problems.push(...(await refusedOptions(work)));
    problems.push(...judgeWorkers(work.step.params, there));
    if (problems.length > 0) throw fail(problems);
    const pin = pinHere({ tools, pythons }, queue);
    const toolchain = pinDigest(pin);
    return {
      artifacts: [],
      // Workers of an earlier version read `toolchain`.
      facts: { toolchain, ...pin },
      findings: differingWorkers(tools, there).map(({ worker, why }) => workerDiffers(worker, why)),
      note: `${counted(Object.keys(tools).length, 'tool')}, ${Object.keys(pythons).join(' ') || 'no Python asked for'}, toolchain ${toolchain.slice(7, 19)}`,
    };
  };

/** A queue that is named after a kind of machine needs such a machine. */
function machine(work: Prove): readonly Problem[] {
  const { queue } = work.step.params;
  return isMachine(queue) && queue !== machineName() ? [machineDiffers(queue, machineName())] : [];
}

async function disk(work: Prove): Promise<readonly Problem[]> {
  const { queue, diskMiB } = work.step.params;
  const free = await freeMiB(work.folder);
  return free < diskMiB ? [diskLow(queue, free, diskMiB)] : [];
}

/** An installed client does not prove that an engine answers. */
async function reachable(work: Prove, engine: Engine | undefined): Promise<readonly Problem[]> {
  const { queue, tools } = work.step.params;
  const why = engine && tools.includes('docker') ? await engine.silence() : null;
  return why === null ? [] : [engineSilent(queue, why)];
}

async function toolsHere(work: Prove, problems: Problem[]): Promise<Table> {
  const { tools, queue } = work.step.params;
  const table = await measureTools((line, env) => work.capture(line, { env: work.env(env) }), tools);
  const kinds = work.plan.steps.flatMap(({ kind, on }) => (on === queue ? [kind] : []));
  for (const tool of tools.filter((one) => !Object.hasOwn(table, one)))
    problems.push(Object.hasOwn(BROUGHT, tool) ? BROUGHT[tool]!.absent(queue, kinds) : toolAbsent(tool, queue));
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

/** Checks with each lock tool whether it accepts the options of the entries. Returns a problem for each refused option.
 */
async function refusedOptions(work: Prove): Promise<readonly Problem[]> {
  const refused = (work.step.params.options ?? []).map((set) => refusedOf(work, set));
  return (await Promise.all(refused)).flat();
}

async function refusedOf(work: Prove, { tool, options, of }: LockOptions): Promise<readonly Problem[]> {
  const whole = await refusal(work, tool, options);
  if (whole === null) return [];
  const each = await Promise.all(
    options.map(async (option) => {
      const why = await refusal(work, tool, [option]);
      return why === null ? [] : [optionUnknown(tool, option, of, why)];
    }),
  );
  // Options may be refused only together, for one a repeated option.
  return each.flat().length > 0 ? each.flat() : [optionUnknown(tool, options.join(' '), of, whole)];
}

/** With --help a tool parses its options and does nothing. The first --help serves as the value of an option that lacks
 * one. */
const ASK = 'said=$("$@" --help --help 2>&1 >/dev/null </dev/null) && exit 0; printf "%s" "$said"';

/** Returns why a tool refuses options. Null if it accepts them. */
async function refusal(work: Prove, tool: LockOptions['tool'], options: readonly string[]): Promise<string | null> {
  const program = tool === 'uv' ? ['uv', 'pip', 'compile'] : ['pip-compile'];
  const said = await work.capture(['sh', '-c', ASK, 'sh', ...program, ...argumentsOf(options)]);
  const lines = said.split('\n').map((line) => line.trim());
  const line = lines.find((one) => /^error:/i.test(one)) ?? lines.find((one) => one !== '');
  return line === undefined ? null : line.replace(/^error: */i, '');
}
