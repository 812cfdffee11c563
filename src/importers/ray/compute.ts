import type { Complain } from '../file-problem.js';
import type { Variables } from './environment.js';
import { problems } from './errors.js';
import { type Doc, readDoc } from '../pyyaml/read.js';
import { type Dict, isDict, textAt, type Tree, valueAt } from '../pyyaml/tree.js';

/** Machines that a compute file asks for. */
export interface Compute {
  /** Instance types with the most nodes of each; the head is the first. */
  readonly instances: readonly (readonly [type: string, nodes: number])[];
}

/** Fills in `{{ env["NAME"] }}`; an unset one is empty, as in jinja. Returns null if there is another expression of jinja. */
export function rendered(text: string, file: string, variables: Variables, complain: Complain): string | null {
  let isWhole = true;
  const filled = text
    .split('\n')
    .map((line, index) => {
      const one = line.replace(/\{\{\s*env\[(?:"(\w+)"|'(\w+)')\]\s*\}\}/g, (_: string, a?: string, b?: string) =>
        (variables[a ?? b ?? ''] ?? '').replaceAll(/[\r\n]/g, ' '),
      );
      const other = /\{\{.*|\{%.*|\{#.*/.exec(one)?.[0];
      isWhole &&= other === undefined;
      if (other !== undefined) complain(problems.otherJinja({ file, line: index + 1 }, other));
      return one;
    })
    .join('\n');
  return isWhole ? filled : null;
}

/** Reads a compute file of the legacy schema or of the one of 2026. Null if it is no YAML. */
export function computeIn(text: string, file: string, complain: Complain): Compute | null {
  const doc = readDoc(text, file, complain);
  if (doc === null) return null;
  if (!isDict(doc.tree)) {
    complain(problems.wrongValue(doc.place(doc.tree.at), 'a compute file', 'a map of keys', doc.tree));
    return null;
  }
  lintVolumes(doc.tree, doc, complain);
  const head = textAt(doc.tree, 'head_node', 'instance_type') ?? textAt(doc.tree, 'head_node_type', 'instance_type');
  const workers = ['worker_nodes', 'worker_node_types'].flatMap((key) => {
    const list = valueAt(doc.tree, [key]);
    return list?.kind === 'list' ? list.items.filter(isDict) : [];
  });
  return {
    instances: [
      ...(head === undefined ? [] : [[head, 1] as const]),
      ...workers.flatMap((worker) => {
        const type = textAt(worker, 'instance_type');
        return type === undefined ? [] : [[type, mostNodes(worker)] as const];
      }),
    ],
  };
}

/** Nodes that it can have, the head included. */
export const nodesOf = ({ instances }: Compute): number => instances.reduce((sum, [, nodes]) => sum + nodes, 0);

function mostNodes(worker: Dict): number {
  for (const key of ['max_nodes', 'max_workers', 'min_nodes', 'min_workers']) {
    const found = worker.keys.get(key)?.value;
    if (found?.kind === 'scalar' && found.type === 'integer') return Number(found.value);
  }
  return 1;
}

/** A volume that outlives its machine costs money for ever. Upstream's lint looks only where no file has volumes. */
function lintVolumes(tree: Tree, doc: Doc, complain: Complain): void {
  if (tree.kind === 'list') for (const item of tree.items) lintVolumes(item, doc, complain);
  if (!isDict(tree)) return;
  for (const [key, { value }] of tree.keys) {
    if (key !== 'BlockDeviceMappings' || value.kind !== 'list') lintVolumes(value, doc, complain);
    else for (const mapping of value.items) lintVolume(valueAt(mapping, ['Ebs']), doc, complain);
  }
}

function lintVolume(volume: Tree | undefined, doc: Doc, complain: Complain): void {
  if (!isDict(volume)) return;
  const said = valueAt(volume, ['DeleteOnTermination']);
  if (said?.kind !== 'scalar' || said.value !== true) complain(problems.volumeKept(doc.place(said?.at ?? volume.at)));
}
