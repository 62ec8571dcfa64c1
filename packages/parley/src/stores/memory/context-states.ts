import type { ContextChange, KeyScope, TaskCommit } from '../../engine/ports.ts';
import type { JsonValue } from '../../model/json.ts';

interface ContextState {
  readonly values: Map<string, JsonValue>;
  expiresAt: number;
  lifetime: number;
}

const NOTHING: ReadonlyMap<string, JsonValue> = new Map();

/** What contexts keep, until nothing has happened in them for a while. */
export class ContextStates {
  readonly #states: Map<string, ContextState> = new Map();

  get(scope: KeyScope, contextId: string, now: number): ReadonlyMap<string, JsonValue> {
    const state = this.#states.get(nameOf(scope, contextId));
    return state && state.expiresAt > now ? new Map(state.values) : NOTHING;
  }

  /** A message in a context keeps what is there for longer; what a commit changes is changed. */
  commit({ head, events, context = [] }: TaskCommit): void {
    if (this.#states.size === 0 && context.length === 0) return;
    const time = events.findLast((event) => event.kind === 'message')?.time;
    if (time === undefined && context.length === 0) return;
    const name = nameOf({ ...head.owner, agent: head.agent }, head.contextId);
    if (time !== undefined) this.#touch(name, time);
    for (const change of context) this.#change(name, change);
  }

  sweep(now: number): void {
    for (const [name, state] of this.#states) if (state.expiresAt <= now) this.#states.delete(name);
  }

  #touch(name: string, time: number): void {
    const state = this.#states.get(name);
    if (!state) return;
    if (state.expiresAt <= time) this.#states.delete(name);
    else state.expiresAt = Math.max(state.expiresAt, time + state.lifetime);
  }

  #change(name: string, { key, value, time, lifetime }: ContextChange): void {
    this.#touch(name, time);
    const state = this.#states.get(name) ?? { values: new Map(), expiresAt: 0, lifetime };
    state.lifetime = lifetime;
    state.expiresAt = Math.max(state.expiresAt, time + lifetime);
    if (value === undefined) state.values.delete(key);
    else state.values.set(key, value);
    if (state.values.size > 0) this.#states.set(name, state);
    else this.#states.delete(name);
  }
}

function nameOf({ tenant, subject, agent }: KeyScope, contextId: string): string {
  return JSON.stringify([tenant, subject, agent, contextId]);
}
