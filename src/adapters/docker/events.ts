export interface EngineEvent {
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly progressDetail?: { readonly current?: number };
  readonly error?: string;
  readonly errorDetail?: { readonly message?: string; readonly code?: number };
  readonly aux?: unknown;
}

/** The engine answers 200 and may still fail inside the stream; only this event reports it. */
export const errorOf = (event: EngineEvent): string | null => event.errorDetail?.message ?? event.error ?? null;

export function textOf(event: EngineEvent): string {
  if (event.stream !== undefined) return event.stream;
  if (event.status === undefined || event.progressDetail?.current !== undefined) return '';
  return `${event.id ? `${event.id}: ` : ''}${event.status}\n`;
}

/** Returns the manifest digest from a push's last event. Null from other events. */
export function pushedDigest(event: EngineEvent): string | null {
  const aux = event.aux as { Digest?: string } | undefined;
  return typeof aux === 'object' && aux !== null && typeof aux.Digest === 'string' ? aux.Digest : null;
}

/** Returns the image id from a build's last events. Null from other events. */
export function builtImage(event: EngineEvent): string | null {
  const aux = event.aux as { ID?: string } | undefined;
  return typeof aux === 'object' && aux !== null && typeof aux.ID === 'string' ? aux.ID : null;
}

/** Splits a stream of JSON lines into events; a line may arrive in pieces. */
export class EventLines {
  #rest = '';

  *push(text: string): Iterable<EngineEvent> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as EngineEvent;
  }

  *end(): Iterable<EngineEvent> {
    if (this.#rest.trim()) yield JSON.parse(this.#rest) as EngineEvent;
    this.#rest = '';
  }
}
