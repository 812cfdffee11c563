import type { Cluster, NodeSeen } from './ports.js';

const EVERY_MS = 2_000;

/** A node that the head lost while the test ran. */
export interface LostNode {
  readonly node: string;
  /** Since the begin of the attempt. */
  readonly atMs: number;
}

/** Asks the head for its nodes, and remembers which were alive and which were lost. A lost node is evidence, not a failure: tests kill
 * nodes on purpose. */
export class NodeWatch {
  private readonly alive = new Map<string, NodeSeen>();
  private readonly gone: LostNode[] = [];
  private timer: NodeJS.Timeout | null = null;

  private most = 0;

  constructor(
    private readonly cluster: Pick<Cluster, 'nodes'>,
    private readonly tookMs: () => number,
  ) {}

  /** Returns the number of nodes that are alive, 0 while the head does not answer. */
  async look(): Promise<number> {
    const nodes = await this.cluster.nodes().catch(() => null);
    if (nodes === null) return 0;
    for (const node of nodes) this.note(node);
    const living = nodes.filter(({ alive }) => alive).length;
    this.most = Math.max(this.most, living);
    return living;
  }

  /** Looks again and again until `stop`. */
  watch(): void {
    const next = (): void => {
      this.timer = setTimeout(() => void this.look().finally(() => this.timer !== null && next()), EVERY_MS);
    };
    next();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Most nodes that were alive at once. */
  seen(): number {
    return this.most;
  }

  lost(): readonly LostNode[] {
    return this.gone;
  }

  private note(node: NodeSeen): void {
    const before = this.alive.get(node.id);
    if (node.alive) this.alive.set(node.id, node);
    if (node.alive || before === undefined || !before.alive) return;
    // Ray forgets the address of a node that is gone.
    const address = node.address || before.address;
    this.alive.set(node.id, { ...node, address });
    this.gone.push({ node: address, atMs: this.tookMs() });
  }
}
