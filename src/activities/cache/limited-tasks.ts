/** Runs tasks with a limit on concurrency. A task may add further tasks. */
export class LimitedTasks {
  readonly #waiting: (() => Promise<void>)[] = [];
  #active = 0;
  #settle: { resolve(): void; reject(error: unknown): void } | null = null;
  #failed: { readonly error: unknown } | null = null;

  constructor(private readonly atOnce: number) {}

  add(task: () => Promise<void>): void {
    this.#waiting.push(task);
    this.#next();
  }

  /** Resolves when no task is left. After a failure it starts nothing new, and rejects with the first error once
   * running tasks have ended. */
  done(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#next();
    });
  }

  #next(): void {
    while (this.#active < this.atOnce && this.#waiting.length > 0) {
      this.#active++;
      void this.#waiting.shift()!()
        .catch((error: unknown) => this.#fail(error))
        .finally(() => {
          this.#active--;
          this.#next();
        });
    }
    if (this.#active > 0) return;
    if (this.#failed) this.#settle?.reject(this.#failed.error);
    else this.#settle?.resolve();
  }

  #fail(error: unknown): void {
    this.#failed ??= { error };
    this.#waiting.length = 0;
  }
}
