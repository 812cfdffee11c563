import type { Cluster, ClusterTest } from '../../model/schema/sections/clusters.js';
import { counted } from '../../model/counted.js';
import type { ClusterManager, ClusterSpec } from '../../model/tests/cluster.js';
import type { Context } from '../context.js';
import type { Variant } from '../stage.js';
import { whereOf } from '../where.js';
import { imagesOf, RAY_IN_IMAGE } from './cluster-image.js';

/** Time for the first answer of a cluster that is there already. */
const ANSWER_MS = 5 * 60_000;

export const upMsOf = (cluster: Cluster): number => (cluster.manager === 'jobs' ? ANSWER_MS : cluster.up);

/** Origin of a node's container. */
export const housed = (cluster: Cluster, test: ClusterTest) => ({
  packages: [],
  base: cluster.manager === 'docker' && imagesOf(test).length === 0 ? cluster.base : undefined,
  on: test.on,
});

export function clusterSpec(cluster: Cluster, test: ClusterTest, variant: Variant, context: Context): ClusterSpec {
  return {
    name: test.cluster,
    manager: managerOf(cluster, test, variant, context),
    nodes: cluster.nodes,
    cpus: cluster.manager === 'jobs' ? 1 : cluster.cpus,
    upMs: upMsOf(cluster),
  };
}

function managerOf(cluster: Cluster, test: ClusterTest, variant: Variant, context: Context): ClusterManager {
  switch (cluster.manager) {
    case 'local':
      return { by: 'local' };
    case 'docker': {
      const memoryMiB = cluster.memory === undefined ? null : Number.parseInt(cluster.memory, 10);
      const image = variant.needs.find(({ item }) => item.id === imagesOf(test)[0]);
      if (image !== undefined) return { by: 'docker', base: image.id, memoryMiB, ray: RAY_IN_IMAGE };
      const where = whereOf(housed(cluster, test), variant);
      return { by: 'docker', base: where.in === 'container' ? where.base : '', memoryMiB };
    }
    case 'ssh':
      return hostsOf(cluster, test.cluster, context);
    case 'jobs':
      return { by: 'jobs', address: addressOf(cluster, test.cluster, context).replace(/\/+$/, '') };
    case 'command': {
      const { attach, ...lines } = cluster.lines;
      return { by: 'command', lines: { ...lines, ...(attach !== undefined && { attach }) } };
    }
    default:
      return cluster satisfies never;
  }
}

/** The profile's address wins: a release file may be carried out in another network. */
function addressOf({ address }: Extract<Cluster, { manager: 'jobs' }>, name: string, context: Context): string {
  const found = context.profile.clusters[name]?.address ?? address;
  if (found === undefined)
    missing(
      name,
      'neither this entry nor the profile PROFILE says where that Ray is',
      `Write \`clusters: { ${name}: { address: http://HOST:8265 } }\` into the profile's file, or \`address\` here.`,
      context,
    );
  return found ?? '';
}

function hostsOf({ nodes }: Cluster, name: string, context: Context): ClusterManager {
  const { hosts = [], ray, config = null } = context.profile.clusters[name] ?? {};
  const next = `Write \`clusters: { ${name}: { hosts: [user@host], ray: /opt/ray } }\` into the profile's file.`;
  if (ray === undefined) missing(name, 'the profile PROFILE does not say where Ray is on the hosts', next, context);
  else if (hosts.length < nodes)
    missing(
      name,
      `it has ${nodes} nodes, and the profile PROFILE lists ${counted(hosts.length, 'host')}`,
      next,
      context,
    );
  return { by: 'ssh', hosts, ray: ray ?? '', config };
}

const missing = (name: string, why: string, next: string, context: Context): void =>
  context.needsThat(['clusters', name], why.replace('PROFILE', `"${context.facts.profile.name}"`), next);
