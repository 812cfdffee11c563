import { chmod, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../model/counted.js';
import type { Artifact } from '../../model/artifact.js';
import { fail, type Problem } from '../../model/failure.js';
import { lineEnv } from '../steps/line-env.js';
import { findFiles, keepFiles } from '../steps/outputs.js';
import { toLog } from '../steps/where.js';
import type { Body, Work } from '../work.js';
import { inImage, inJvm, onHost } from './on-host.js';
import { inVenv } from './in-venv.js';
import { LineWatch } from './line-watch.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';
import type { JsonObject } from '../../model/json.js';
import type { Exit } from '../ports.js';
import { expectedLineAbsent, resultAbsent, testFailed, testTimedOut } from './errors.js';

type Test = Work<'runTest'>;

/** Runs a shell line against built products. Its files and exit status are kept, passed or not. */
export const createRunTest = (ports: TestPorts): Body<'runTest'> =>
  async function runTest(work) {
    const { params, id, limitMs } = work.step;
    const out = await emptyFolder(join(work.folder, 'out'));
    const place = await makeReady(work, ports, out);
    const watch = new LineWatch(params.expect ?? '');
    const log = toLog(work);
    const exit = await place.run(params.run, { OUT: place.out, ...lineEnv(params, place) }, (text) => {
      watch.push(text);
      return log(text);
    });
    const kept = await keepOutputs(work, out);
    const problem = judge({
      step: id,
      exit,
      limitMs,
      expect: params.expect,
      lineSeen: watch.end(),
      result: params.result,
      resultThere: params.result === null || existsSync(join(out, params.result)),
      lastLines: work.log.tail(),
      details: { exitCode: exit.code, kept: kept.map(({ name, digest }) => ({ name, digest })) },
    });
    if (problem) throw fail(problem);
    return { artifacts: kept, facts: { exitCode: exit.code }, note: noteOf(work, kept) };
  };

function makeReady(work: Test, ports: TestPorts, out: string): Promise<TestLocation> | TestLocation {
  switch (work.step.params.in) {
    case 'venv':
      return inVenv(work, ports, out);
    case 'image':
      return inImage(work, ports, out);
    case 'jvm':
      return inJvm(work, ports, out);
    case 'host':
      return onHost(work, ports, out);
    default:
      return work.step.params.in satisfies never;
  }
}

async function keepOutputs(work: Test, out: string): Promise<readonly Artifact[]> {
  const { result, artifacts } = work.step.params;
  return keepFiles(work, out, await findFiles(work, out, [...(result === null ? [] : [result]), ...artifacts]));
}

/** Writable, since an image may run as any user. */
async function emptyFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o777);
  return path;
}

function noteOf(work: Test, kept: readonly Artifact[]): string {
  const { expect, result } = work.step.params;
  const proof = expect !== null ? `printed "${expect}"` : result !== null ? `left ${result}` : 'status 0';
  return kept.length > 0 ? `${proof}, ${counted(kept.length, 'file')} kept` : proof;
}

export interface Ended {
  readonly step: string;
  readonly exit: Exit;
  readonly limitMs: number;
  readonly expect: string | null;
  readonly lineSeen: boolean;
  readonly result: string | null;
  readonly resultThere: boolean;
  readonly lastLines: readonly string[];
  /** Details of the failure: the files that were kept. */
  readonly details: JsonObject;
}

/** Returns null if the test passed. Status 0 alone is no pass if a line or a file is expected. */
export function judge(ended: Ended): Problem | null {
  const { step, exit, expect, result, lastLines, details } = ended;
  if (exit.timedOut) return testTimedOut(step, ended.limitMs, lastLines, details);
  if (exit.code !== 0) return testFailed(step, exit.code, lastLines, details);
  if (expect !== null && !ended.lineSeen) return expectedLineAbsent(step, expect, lastLines, details);
  if (result !== null && !ended.resultThere) return resultAbsent(step, result, lastLines, details);
  return null;
}
