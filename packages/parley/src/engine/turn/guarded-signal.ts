type Call = (event: Event) => unknown;
type Listener = Call | { handleEvent(event: Event): unknown };
type Change = (type: string, listener: unknown, options?: unknown) => void;

/**
 * Makes a signal safe to hand to an agent: a listener that throws, or rejects, is reported. Node would end the process.
 */
export function guardListeners(signal: AbortSignal, report: (error: unknown) => void): void {
  const guarded = new WeakMap<Listener, Call>();
  const guardedOf = (listener: Listener): Call => {
    const known = guarded.get(listener) ?? guard(listener, report);
    guarded.set(listener, known);
    return known;
  };
  const add = signal.addEventListener.bind(signal) as Change;
  const remove = signal.removeEventListener.bind(signal) as Change;
  let own: Call | null = null;
  Object.defineProperties(signal, {
    addEventListener: {
      value: (type: string, listener: Listener | null, options?: unknown) =>
        add(type, isListener(listener) ? guardedOf(listener) : listener, options),
    },
    removeEventListener: {
      value: (type: string, listener: Listener | null, options?: unknown) =>
        remove(type, (isListener(listener) && guarded.get(listener)) || listener, options),
    },
    onabort: {
      get: () => own,
      set: (listener: unknown) => {
        if (own) remove('abort', guarded.get(own));
        own = typeof listener === 'function' ? (listener as Call) : null;
        if (own) add('abort', guardedOf(own));
      },
    },
  });
}

function isListener(value: unknown): value is Listener {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}

function guard(listener: Listener, report: (error: unknown) => void): Call {
  return function (this: unknown, event) {
    try {
      const done = typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
      if (done instanceof Promise) done.catch(report);
    } catch (error) {
      report(error);
    }
  };
}
