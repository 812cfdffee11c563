/** Signals from one workflow to another may overtake each other [ran: two of one task came in the other order]. Their sender numbers
 * them from 1; here each waits for those before it. */
export class InOrder<Message extends { readonly no: number }> {
  #next = 1;
  readonly #early = new Map<number, Message>();

  constructor(private readonly pass: (message: Message) => void) {}

  take(message: Message): void {
    if (message.no >= this.#next) this.#early.set(message.no, message);
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      this.pass(next);
    }
  }
}
