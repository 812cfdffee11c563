import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../model/counted.js';
import { fail, type Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Archives } from '../source/ports.js';
import { slug } from '../step/workspace.js';
import type { Body } from '../work.js';
import { layOutTest } from './lay-out.js';
import { NodeWatch } from './node-watch.js';
import type { Clusters } from './ports.js';
import { carriedOut } from './phases.js';
import { keepAll } from './results.js';
import { say } from './trial.js';
import { venvWithRay } from './venv.js';

export interface ClusterPorts {
  readonly archives: Archives;
  readonly clusters: Clusters;
}

/** A test on a cluster of its own: the cluster comes up, its nodes are there, the line `prepare`, the test, its results, alerts.
 * What it leaves is kept, passed or not. */
export const createRunOnCluster = ({ archives, clusters }: ClusterPorts): Body<'runOnCluster'> =>
  async function runOnCluster(work) {
    const folders = await layOutTest(work, archives);
    const { cluster: spec } = work.step.params;
    const venv = spec.manager.by === 'command' ? null : await venvWithRay(work);
    const id = `${work.run}-${slug(work.step.id)}-${work.attempt}`;
    say(work, `cluster ${spec.name}: starting ${counted(spec.nodes, 'node')}`);
    const cluster = await clusters.up({
      ...{ spec, id, folder: folders.all, venv, env: work.env(), confine: work.confine, signal: work.signal },
      containers: null,
      log: (text) => work.log.write(text),
      reached: work.reached,
    });
    const nodes = new NodeWatch(cluster);
    const output = createWriteStream(join(folders.out, 'output.txt'));
    const onOutput = (text: string): void | Promise<void> => {
      output.write(text);
      work.log.write(text);
      return work.log.ready?.();
    };
    let problem: Problem | null;
    try {
      problem = await carriedOut({ work, cluster, folders, nodes, id, onOutput });
      work.signal.throwIfAborted();
    } finally {
      nodes.stop();
      await cluster.down();
      await new Promise((resolve) => output.end(resolve));
    }
    const kept = await keepAll(work, folders.out);
    const facts: JsonObject = { nodes: nodes.seen(), lost: nodes.lost() };
    if (problem !== null)
      throw fail({
        ...problem,
        details: { ...problem.details, ...facts, kept: kept.map(({ name, digest }) => ({ name, digest })) },
      });
    return {
      artifacts: kept,
      facts,
      note: `passed on ${counted(nodes.seen(), 'node')}, ${counted(kept.length, 'file')} kept`,
    };
  };
