import type { NodeSeen } from '../../activities/clusters/ports.js';
import { isObject } from '../../model/check.js';
import { ClusterFault } from './fault.js';
import { jsonIn } from '../../model/json.js';

type Said = Readonly<Record<string, unknown>>;

/** Reads a dashboard's summary of nodes. Throws ClusterFault unless it is what Ray says. */
export function nodesIn(text: string): readonly NodeSeen[] {
  const said = jsonIn(text);
  if (!isObject(said)) throw unreadable();
  const summary = mapOrNone(said['data'])['summary'] ?? [];
  if (!Array.isArray(summary)) throw unreadable();
  return summary.flatMap((one: unknown) => nodeIn(mapOrNone(mapOrNone(one)['raylet'])));
}

function nodeIn({ nodeId, nodeManagerAddress, state }: Said): readonly NodeSeen[] {
  if (nodeId === undefined) return [];
  const address = nodeManagerAddress ?? '';
  if (typeof nodeId !== 'string' || typeof address !== 'string') throw unreadable();
  return [{ id: nodeId, address, alive: state === 'ALIVE' }];
}

function mapOrNone(value: unknown): Said {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw unreadable();
  return value;
}

const unreadable = (): ClusterFault => new ClusterFault('the dashboard answered with no list of nodes');
