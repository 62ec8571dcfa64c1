type Listener<Arguments extends readonly unknown[]> = (...values: Arguments) => void;

/** The part of an event emitter that there is a use for, without Node. */
export class Emitter<Events extends Readonly<Record<string, readonly unknown[]>>> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return this;
  }

  off<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    const first: Listener<Events[Name]> = (...values) => {
      this.off(name, first);
      listener(...values);
    };
    return this.on(name, first);
  }

  /**
   * Returns true where there was a listener. An error of a listener surfaces as an uncaught exception and disturbs no
   * other.
   */
  emit<Name extends keyof Events>(name: Name, ...values: Events[Name]): boolean {
    const listeners = [...(this.#listeners.get(name) ?? [])] as Listener<Events[Name]>[];
    for (const listener of listeners) {
      try {
        listener(...values);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    return listeners.length > 0;
  }
}
