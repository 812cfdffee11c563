import type { Store } from '../../activities/ports.js';
import type { StepLog } from '../../activities/step/ports.js';
import { FirstError } from '../../model/first-error.js';
import { type Chunk, chunkName } from './chunk.js';
import { createRedactor } from './redactor.js';
import { createTail } from './tail.js';

const FLUSH_AFTER_MS = 500;
const FLUSH_AT_CHARS = 64 * 1024;
/** Above this backlog `ready` makes callers wait. */
const HIGH_WATER_CHARS = 1024 * 1024;

/** Writes one attempt's log as create-once chunks. If Temporal repeats an attempt after its worker died, the second
 * writer continues after the existing chunks. */
export function createLogWriter(store: Pick<Store, 'create' | 'list'>, prefix: string): StepLog {
  return new ChunkWriter(store, prefix);
}

class ChunkWriter implements StepLog {
  private readonly redactor = createRedactor();
  private readonly errors = new FirstError();
  private readonly last = createTail((line) => this.errors.push(line));
  private waiting = '';
  private own: (readonly [number, number])[] = [];
  private ended = true;
  private number = 0;
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> | null = null;
  private failure: unknown = null;

  constructor(
    private readonly store: Pick<Store, 'create' | 'list'>,
    private readonly prefix: string,
  ) {}

  write(text: string): void {
    this.add(this.redactor.push(text));
  }

  note(text: string): void {
    this.add(this.redactor.end());
    const line = `slipway: ${this.redactor.scrub(text).replaceAll('\n', '\nslipway: ')}\n`;
    const from = this.waiting.length + (this.ended ? 0 : 1);
    this.own.push([from, from + line.length]);
    this.keep(this.ended ? line : `\n${line}`);
  }

  tail(lines = 20): readonly string[] {
    return this.last.lines(lines);
  }

  firstError(): readonly string[] {
    return this.errors.lines;
  }

  forgetError(): void {
    this.errors.clear();
  }

  hide(name: string, value: string): void {
    this.redactor.hide(name, value);
  }

  scrub(text: string, atLeast?: number): string {
    return this.redactor.scrub(text, atLeast);
  }

  ready(): Promise<void> | undefined {
    if (this.failure !== null) return Promise.reject(this.failure as Error);
    return this.waiting.length > HIGH_WATER_CHARS ? this.flush() : undefined;
  }

  /** The remaining text and the end mark share one chunk: most steps print little. */
  async close(): Promise<void> {
    this.add(this.redactor.end());
    await this.flushing;
    this.stopTimer();
    if (this.failure !== null) throw this.failure as Error;
    await this.create({ ...this.take(), last: true });
  }

  async leave(): Promise<void> {
    this.add(this.redactor.end());
    while (this.waiting !== '' && this.failure === null) await this.flush();
    await this.flushing;
    this.stopTimer();
    if (this.failure !== null) throw this.failure as Error;
  }

  private add(text: string): void {
    if (text === '') return;
    this.last.add(text);
    this.keep(text);
  }

  private keep(text: string): void {
    if (this.failure !== null) return;
    this.waiting += text;
    this.ended = text.endsWith('\n');
    if (this.waiting.length >= FLUSH_AT_CHARS) void this.flush();
    else this.flushLater();
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Writes one chunk at a time, in order. Never rejects: `ready` and `close` report failures. */
  private flush(): Promise<void> {
    this.flushing ??= this.writeOut().finally(() => (this.flushing = null));
    return this.flushing;
  }

  private stopTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private async writeOut(): Promise<void> {
    this.stopTimer();
    const chunk = this.take();
    if (chunk.text === '') return;
    await this.create(chunk).catch((error: unknown) => {
      this.failure ??= error;
    });
    if (this.waiting !== '') this.flushLater();
  }

  private take(): Chunk {
    const [text, own] = [this.waiting, this.own];
    this.waiting = '';
    this.own = [];
    return { text, ...(own.length > 0 && { own }) };
  }

  private async create(chunk: Chunk): Promise<void> {
    for (;;) {
      this.number += 1;
      if ((await this.store.create(chunkName(this.prefix, this.number), chunk)).created) return;
      this.number = Math.max(this.number, (await this.store.list(`${this.prefix}/`)).length);
    }
  }
}
