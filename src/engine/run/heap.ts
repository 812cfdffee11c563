/** Binary heap by due time. Equal times keep their order of insertion. */
export class Heap<T> {
  readonly #all: { readonly at: number; readonly no: number; readonly value: T }[] = [];
  #count = 0;

  push(at: number, value: T): void {
    const all = this.#all;
    const entry = { at, no: this.#count++, value };
    let place = all.length;
    all.push(entry);
    for (let up = (place - 1) >> 1; place > 0 && this.#before(entry, all[up]!); up = (place - 1) >> 1) {
      all[place] = all[up]!;
      place = up;
    }
    all[place] = entry;
  }

  /** Removes and returns the earliest value. Null if the heap is empty. */
  pop(): readonly [at: number, value: T] | null {
    const first = this.#all[0];
    const last = this.#all.pop();
    if (first === undefined || last === undefined) return null;
    if (this.#all.length > 0) this.#sink(last);
    return [first.at, first.value];
  }

  /** Returns the earliest due time. Null if the heap is empty. */
  get nextAt(): number | null {
    return this.#all[0]?.at ?? null;
  }

  #sink(entry: { readonly at: number; readonly no: number; readonly value: T }): void {
    const all = this.#all;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= all.length) break;
      if (below + 1 < all.length && this.#before(all[below + 1]!, all[below]!)) below++;
      if (!this.#before(all[below]!, entry)) break;
      all[place] = all[below]!;
      place = below;
    }
    all[place] = entry;
  }

  #before(a: { readonly at: number; readonly no: number }, b: { readonly at: number; readonly no: number }): boolean {
    return a.at !== b.at ? a.at < b.at : a.no < b.no;
  }
}
