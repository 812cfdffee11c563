import { rmSync } from 'node:fs';
import { identityOf } from '../adapters/process/identity.js';
import type { Context } from './catalog/context.js';
import type { Catalog } from './catalog/index.js';
import { writeJson } from './files.js';
import { boundLogs } from './bound-logs.js';
import { servicesFile, statusFile } from './folders.js';
import { Keeper } from './keeper.js';
import type { ProcessRecord } from './process-record.js';
import { publicState } from './public-state.js';
import type { Status } from './status.js';

export interface Builds {
  readonly build: string;
  readonly code: string;
}

/** Starts every service once its dependencies answer, keeps all running, and ends them in reverse order. */
export class Supervisor {
  private readonly keepers: readonly Keeper[];
  private readonly waiting: Set<Keeper>;
  private readonly startedAt = new Date().toISOString();
  private abandoned = false;
  private readonly stopping = new AbortController();

  constructor(
    private readonly context: Context,
    private readonly catalog: Catalog,
    record: ProcessRecord,
    private builds: Builds,
  ) {
    const onChange = (): void => {
      this.publish();
      this.beginReady();
    };
    const onRenewed = (): void => void this.restartWorkers();
    this.keepers = catalog.services.map((service) => new Keeper(service, context.home, record, onChange, onRenewed));
    this.waiting = new Set(this.keepers);
  }

  start(): void {
    this.publish();
    this.beginReady();
  }

  /** Handles another `up`: retries failed services at once, restarts services with an older build. */
  async renew(builds: Builds): Promise<void> {
    for (const keeper of this.keepers) keeper.nudge();
    if (builds.build === this.builds.build) return;
    await this.restartWorkers();
    this.builds = builds;
    this.publish();
  }

  /** Bounds the logs of running services. At this signal nginx opens its logs anew. */
  boundLogs(): void {
    const web = this.keepers.find(({ service }) => service.name === 'web')?.pid ?? 0;
    try {
      if (boundLogs(this.context.home, Date.now()) && web > 0) process.kill(web, 'SIGUSR1');
    } catch {
      // A log was removed or nginx ended in this moment. The next look tries again.
    }
  }

  private async restartWorkers(): Promise<void> {
    const ours = this.keepers.filter((keeper) => keeper.service.runsOurCode);
    await Promise.all(ours.map((keeper) => keeper.restart()));
  }

  /** Ends all services without writing to the home, which was removed or belongs to another supervisor now. */
  async abandon(): Promise<void> {
    this.abandoned = true;
    await this.end();
  }

  async end(): Promise<void> {
    this.stopping.abort();
    this.remove(servicesFile(this.context.home));
    const [workers, rest] = [true, false].map((ours) => this.keepers.filter((one) => one.service.runsOurCode === ours));
    await Promise.all((workers ?? []).map((keeper) => keeper.end()));
    for (const keeper of (rest ?? []).toReversed()) await keeper.end();
    this.remove(statusFile(this.context.home));
  }

  private remove(file: string): void {
    if (!this.abandoned) rmSync(file, { force: true });
  }

  /** Begins the services whose needs answer. */
  private beginReady(): void {
    if (this.stopping.signal.aborted) return;
    const late = this.keepers.filter(({ status }) => status.state !== 'ready').map(({ service }) => service.name);
    for (const keeper of this.waiting)
      if (!keeper.service.after.some((name) => late.includes(name)) && this.waiting.delete(keeper)) keeper.begin();
  }

  /** Publishes the addresses once all dependencies of workers answer, which read them. They stay, because a restarted
   * service keeps its address. */
  private publish(): void {
    if (this.abandoned) return;
    const [ours, others] = [true, false].map((our) => this.keepers.filter((one) => one.service.runsOurCode === our));
    const needed = new Set(ours!.flatMap((keeper) => keeper.service.after));
    const base = others!.filter(({ service }) => needed.size === 0 || needed.has(service.name));
    if (!this.stopping.signal.aborted && base.every((keeper) => keeper.status.state === 'ready')) {
      writeJson(servicesFile(this.context.home), publicState(this.context, this.keepers, this.startedAt));
    }
    writeJson(statusFile(this.context.home), this.status());
  }

  private status(): Status {
    return {
      version: 1,
      supervisor: identityOf(process.pid),
      ...this.builds,
      services: Object.fromEntries(
        this.keepers.map((keeper) => {
          const { address } = keeper.service.state(keeper.pid);
          return [keeper.service.name, { ...keeper.status, address }];
        }),
      ),
      ...(this.catalog.only && { only: this.catalog.only }),
      notes: this.catalog.notes,
    };
  }
}
