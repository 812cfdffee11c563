import { isOutage } from '../../model/failure.js';
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
  private why: string | null = null;
  private told: string | null = null;

  /** @param note writes a line to the log */
  constructor(
    private readonly cluster: Pick<Cluster, 'nodes'>,
    private readonly tookMs: () => number,
    private readonly note: (text: string) => void,
  ) {}

  /** Returns the number of nodes that are alive, 0 while they cannot be counted. Throws if the cluster has an outage. */
  async look(): Promise<number> {
    const nodes = await this.cluster.nodes().catch((error: Error) => this.failed(error));
    if (nodes === null) return 0;
    this.why = null;
    for (const node of nodes) this.see(node);
    const living = nodes.filter(({ alive }) => alive).length;
    this.most = Math.max(this.most, living);
    return living;
  }

  /** Looks again and again until `stop`. */
  watch(): void {
    const next = (): void => {
      this.timer = setTimeout(() => void looked().finally(() => this.timer !== null && next()), EVERY_MS);
    };
    // While the test runs, an outage is the matter of the test's own job.
    const looked = (): Promise<unknown> => this.look().catch(() => undefined);
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

  /** Returns why the last look counted no nodes. Null if it counted them. */
  fault(): string | null {
    return this.why;
  }

  /** Notes a reason when it is another than before. */
  private failed(error: Error): null {
    this.why = error.message;
    if (this.told !== this.why) this.note(`the nodes cannot be counted: ${this.why}`);
    this.told = this.why;
    if (isOutage(error)) throw error;
    return null;
  }

  private see(node: NodeSeen): void {
    const before = this.alive.get(node.id);
    if (node.alive) this.alive.set(node.id, node);
    if (node.alive || before === undefined || !before.alive) return;
    // Ray forgets the address of a node that is gone.
    const address = node.address || before.address;
    this.alive.set(node.id, { ...node, address });
    this.gone.push({ node: address, atMs: this.tookMs() });
  }
}
