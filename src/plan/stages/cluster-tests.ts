import type { Axes } from '../../model/ids.js';
import type { Cluster, ClusterTest } from '../../model/schema/sections/clusters.js';
import { literalValue } from '../../model/secret.js';
import { type Alert, CLUSTER_SLACK_MS, isForeign, type LimitedLine } from '../../model/tests/cluster.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { envOf, frameItem, idsOf, lineOf, treeNeeds, unique, wheelPythonOf } from '../entry.js';
import { problems, type Path } from '../errors.js';
import type { PlanEntry, PlannedStep, Variant } from '../stage.js';
import { plannedStep } from '../planned-step.js';
import { baseNeeds } from '../where.js';
import { imageFault } from './cluster-image.js';
import { clusterSpec, housed, upMsOf } from './cluster-spec.js';

/** Limit of a test that says none; Ray's release tests have the same. */
const USUAL_LIMIT_MS = 30 * 60_000;
const USUAL_WAIT_MS = 50 * 60_000;
/** Another cluster comes after half an hour to an hour and a half, as Ray's release tests have it. */
const USUAL_RETRY = { times: 1, wait: { waitMs: 30 * 60_000, waitToMs: 90 * 60_000 }, atMost: 90 * 60_000 };

/** Placeholder for an unknown cluster, so that planning finds further problems. */
const UNKNOWN: Cluster = { manager: 'local', nodes: 1000, cpus: 1, up: 1 };

export function clusterTest(name: string, test: ClusterTest, context: Context): PlanEntry {
  const path = ['tests', name];
  const id = `tests/${name}`;
  const cluster = clusterOf(test, path, context);
  check(test, cluster, path, context);
  const framed = frameItem(id, test, path, context);
  const repeats = Array.from({ length: test.repeat }, (_, index) => String(index + 1));
  return {
    ...framed,
    needs: unique([
      ...framed.needs,
      ...(test.folder === undefined ? [] : treeNeeds(framed.needs, [...path, 'folder'], context)),
      ...baseNeeds(housed(cluster, test), id, ['clusters', test.cluster], context),
    ]),
    matrix: { ...framed.matrix, ...(test.repeat > 1 && { repeat: repeats }) },
    make: (variant) => make(test, cluster, variant, path, context),
  };
}

function clusterOf(test: ClusterTest, path: Path, context: Context): Cluster {
  const { clusters } = context.release;
  const found = Object.hasOwn(clusters, test.cluster) ? clusters[test.cluster] : undefined;
  if (found === undefined)
    context.complain(problems.unknownCluster(context.at([...path, 'cluster']), test.cluster, Object.keys(clusters)));
  return found ?? UNKNOWN;
}

function check(test: ClusterTest, cluster: Cluster, path: Path, context: Context): void {
  const refuse = (at: readonly string[], why: string, next: string): void =>
    context.needsThat([...path, ...at], why, next);
  if (test.alerts.length > 0 && test.result === undefined)
    refuse(['alerts'], 'alerts judge values of a result, and "result" is missing', 'Add `result: result.json`.');
  if (test.repeat > 1 && 'repeat' in test.matrix)
    refuse(['repeat'], 'the axis repeat is also in "matrix"', 'Take one of them away.');
  if (test.by === 'client' && cluster.manager === 'jobs')
    refuse(
      ['by'],
      `a Ray that runs already takes jobs only, and "client" needs an address of its own`,
      'Write `by: job`, or `manager: command` with lines of your own.',
    );
  const fault = imageFault(test, cluster);
  if (fault !== null) refuse([fault.key], fault.why, fault.next);
  if (test.wait === undefined || test.wait.nodes <= cluster.nodes) return;
  refuse(
    ['wait'],
    `the test waits for ${test.wait.nodes} nodes, and the cluster ${test.cluster} has ${cluster.nodes}`,
    `Lower \`wait.nodes\`, or raise \`clusters.${test.cluster}.nodes\`.`,
  );
}

function make(test: ClusterTest, cluster: Cluster, variant: Variant, path: Path, context: Context): PlannedStep {
  const { axes } = variant;
  const isDocker = cluster.manager === 'docker';
  const limitMs = test.timeout ?? USUAL_LIMIT_MS;
  const prepare = test.prepare && {
    ...limited(test.prepare.run, test.prepare.timeout ?? limitMs, axes, [...path, 'prepare', 'run'], context),
  };
  const spec = clusterSpec(cluster, test, variant, context);
  const wait = { nodes: test.wait?.nodes ?? cluster.nodes, forMs: test.wait?.for ?? USUAL_WAIT_MS };
  return plannedStep('runOnCluster', {
    id: variant.id,
    on: context.queueOf(axes, test.on, path),
    axes,
    needs: idsOf(variant),
    params: {
      label: context.version,
      title: test.title ?? null,
      cluster: spec,
      wait,
      by: test.by,
      prepare: prepare ?? null,
      test: limited(test.run, limitMs, axes, [...path, 'run'], context),
      env: envOf(test.env, axes, path, context, literalValue),
      folder: test.folder === undefined ? null : context.text(test.folder, axes, [...path, 'folder']),
      long: test.long,
      result: test.result ?? null,
      artifact: test.artifact === undefined ? null : context.text(test.artifact, axes, [...path, 'artifact']),
      alerts: test.alerts.map(alertOf),
      python: isForeign(spec.manager) ? null : wheelPythonOf(variant),
      smoke: test.smoke,
      pool: test.pool ?? null,
      owner: test.owner ?? null,
      about: test.tags,
    },
    files: readFiles(test.files, [test.run, test.prepare?.run, ...Object.values(test.env)], path, context),
    made: true,
    tools: ['uv', ...(isDocker ? ['docker'] : []), ...test.tools],
    timeout: upMsOf(cluster) + wait.forMs + (prepare?.limitMs ?? 0) + limitMs + CLUSTER_SLACK_MS,
    retry: { infra: USUAL_RETRY, ...test.retry },
  });
}

const limited = (text: string, limitMs: number, axes: Axes, path: Path, context: Context): LimitedLine => ({
  ...lineOf(text, axes, path, context),
  limitMs,
});

/** Leaves out bounds that are not given. */
const alertOf = ({ value, atMost, atLeast, equals }: ClusterTest['alerts'][number]): Alert => ({
  value,
  ...(atMost !== undefined && { atMost }),
  ...(atLeast !== undefined && { atLeast }),
  ...(equals !== undefined && { equals }),
});
