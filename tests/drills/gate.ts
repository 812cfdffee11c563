import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A door that builds stand at: one that connects and says its name waits there until it is let through. Tells a drill
 * for certain that a build is under way, and by its closed connection that it is no more. */
export class Gate {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, Socket[]>();
  readonly #server = createServer((socket) => this.#arrive(socket));
  #changed = (): void => undefined;
  #fail = (_: Error): void => undefined;

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when exactly `count` of this name wait. Rejects when a run ends before that (`runEnded`). */
  async holds(name: string, count: number): Promise<void> {
    while ((this.#waiting.get(name)?.length ?? 0) !== count)
      await new Promise<void>((changed, failed) => {
        const [before, failBefore] = [this.#changed, this.#fail];
        this.#changed = () => (before(), changed());
        this.#fail = (error) => (failBefore(error), failed(error));
      });
  }

  /** Rejects every open `holds`: no build of the run comes any more. @param told output of the run */
  runEnded(told: string): void {
    const fail = this.#fail;
    this.#fail = () => undefined;
    fail(new Error(`the run ended before its builds stood at the gate: ${told}`));
  }

  /** From now on whoever comes passes. */
  open(name: string): void {
    this.#open.add(name);
    this.#waiting.get(name)?.forEach((socket) => socket.end());
  }

  close(): void {
    for (const name of this.#waiting.keys()) this.open(name);
    this.#server.close();
  }

  #arrive(socket: Socket): void {
    let name: string | null = null;
    socket.on('error', () => undefined).setEncoding('utf8');
    socket.on('data', (text: string) => {
      name ??= text.trim();
      if (this.#open.has(name)) socket.end();
      this.#set(name, [...(this.#waiting.get(name) ?? []), socket]);
    });
    socket.on('close', () => {
      if (name !== null)
        this.#set(
          name,
          this.#waiting.get(name)!.filter((one) => one !== socket),
        );
    });
  }

  #set(name: string, sockets: Socket[]): void {
    this.#waiting.set(name, sockets);
    const changed = this.#changed;
    this.#changed = () => undefined;
    changed();
  }
}
