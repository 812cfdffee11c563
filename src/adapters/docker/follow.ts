import type { Readable } from 'node:stream';
import type { Talk } from '../../activities/images/ports.js';
import { BuildKitTrace } from './buildkit-trace.js';
import { errorOf, EventLines, textOf, type EngineEvent } from './events.js';

export interface Followed<T> {
  readonly error: string | null;
  readonly lastLines: readonly string[];
  readonly picked: T | null;
}

const KEPT_LINES = 30;

/** Reads an answer to its end and logs it meanwhile. An abort closes the connection, which stops the engine's work. */
export async function follow<T = never>(
  answer: NodeJS.ReadableStream,
  { log, signal }: Talk,
  pick: (event: EngineEvent) => T | null = () => null,
): Promise<Followed<T>> {
  const stream = answer as Readable;
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const seen = new Seen(log, pick);
  try {
    const lines = new EventLines();
    for await (const chunk of stream.setEncoding('utf8'))
      for (const event of lines.push(chunk as string)) await seen.take(event);
    for (const event of lines.end()) await seen.take(event);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    // dockerode closes a build's session on `end`, which a cut-off answer never emits.
    if (!stream.readableEnded) stream.emit('end');
  }
  signal.throwIfAborted();
  return seen;
}

class Seen<T> implements Followed<T> {
  error: string | null = null;
  lastLines: string[] = [];
  picked: T | null = null;
  readonly #trace = new BuildKitTrace();

  constructor(
    readonly log: Talk['log'],
    readonly pick: (event: EngineEvent) => T | null,
  ) {}

  async take(event: EngineEvent): Promise<void> {
    const text = event.id === 'moby.buildkit.trace' ? this.#trace.read(event.aux as string) : textOf(event);
    if (text) await this.#keep(text);
    this.error ??= errorOf(event);
    this.picked = this.pick(event) ?? this.picked;
  }

  #keep(text: string): void | Promise<void> {
    const lines = text.split('\n').filter((line) => line.trim());
    this.lastLines = [...this.lastLines, ...lines].slice(-KEPT_LINES);
    return this.log(text);
  }
}
