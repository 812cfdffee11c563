import { Reader } from 'protobufjs/minimal.js';

/** Converts BuildKit's progress to text. Source: moby/buildkit api/services/control/control.proto, StatusResponse:
 * vertexes = 1 {digest 1, name 3, cached 4, started 5, completed 6, error 7}, logs = 3 {vertex 1, msg 4}. */
export class BuildKitTrace {
  readonly #named = new Set<string>();

  /** Returns the text of one `moby.buildkit.trace` event. Each build stage is named once.
   * @param aux base64 */
  read(aux: string): string {
    const reader = Reader.create(Buffer.from(aux, 'base64'));
    let text = '';
    fields(reader, (field) => {
      if (field === 1) text += this.#vertex(reader.bytes());
      else if (field === 3) text += logText(reader.bytes());
      else return false;
      return true;
    });
    return text;
  }

  #vertex(bytes: Uint8Array): string {
    const vertex = { digest: '', name: '', cached: false, started: false, error: '' };
    const reader = Reader.create(bytes);
    fields(reader, (field, wire) => {
      if (field === 1) vertex.digest = reader.string();
      else if (field === 3) vertex.name = reader.string();
      else if (field === 4) vertex.cached = reader.bool();
      else if (field === 7) vertex.error = reader.string();
      else {
        if (field === 5) vertex.started = true;
        reader.skipType(wire);
      }
      return true;
    });
    const first = vertex.started && !this.#named.has(vertex.digest);
    if (first) this.#named.add(vertex.digest);
    return (
      (first ? `${vertex.name}${vertex.cached ? ' (cached)' : ''}\n` : '') + (vertex.error ? `${vertex.error}\n` : '')
    );
  }
}

function logText(bytes: Uint8Array): string {
  const reader = Reader.create(bytes);
  let text = '';
  fields(reader, (field) => {
    if (field !== 4) return false;
    text += Buffer.from(reader.bytes()).toString('utf8');
    return true;
  });
  return text;
}

/** Walks a message's fields. `take` returns false for a field to skip. */
function fields(reader: Reader, take: (field: number, wire: number) => boolean): void {
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (!take(tag >>> 3, tag & 7)) reader.skipType(tag & 7);
  }
}
