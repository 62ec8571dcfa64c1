import type { ContextChange, KeyScope, Owner, TaskCommit } from '../../engine/ports.ts';
import type { JsonValue } from '../../model/basics/json.ts';

interface ContextState {
  /** The key of the context, the same for every agent. */
  readonly context: string;
  readonly values: Map<string, JsonValue>;
  expiresAt: number;
  lifetime: number;
}

const NOTHING: ReadonlyMap<string, JsonValue> = new Map();

/** The values of contexts, until a context has been idle for its lifetime. */
export class ContextStates {
  readonly #states: Map<string, ContextState> = new Map();
  /** The number of agents with values in a context. */
  readonly #keepers: Map<string, number> = new Map();

  /** True where the context has values, expired ones included until the next sweep. */
  has(owner: Owner, contextId: string): boolean {
    return this.#keepers.has(contextName(owner, contextId));
  }

  get(scope: KeyScope, contextId: string, now: number): ReadonlyMap<string, JsonValue> {
    const state = this.#states.get(nameOf(scope, contextId));
    return state && state.expiresAt > now ? new Map(state.values) : NOTHING;
  }

  /** A message in a context keeps what is there for longer; what a commit changes is changed. */
  commit({ head, events, context = [] }: TaskCommit): void {
    if (this.#states.size === 0 && context.length === 0) return;
    const time = events.findLast((event) => event.kind === 'message')?.time;
    if (time === undefined && context.length === 0) return;
    const { owner, agent, contextId } = head;
    const name = nameOf({ ...owner, agent }, contextId);
    if (time !== undefined) this.#touch(name, time);
    for (const change of context) this.#change(name, contextName(owner, contextId), change);
  }

  sweep(now: number): void {
    for (const [name, state] of this.#states) if (state.expiresAt <= now) this.#delete(name);
  }

  #touch(name: string, time: number): void {
    const state = this.#states.get(name);
    if (!state) return;
    if (state.expiresAt <= time) this.#delete(name);
    else state.expiresAt = Math.max(state.expiresAt, time + state.lifetime);
  }

  #change(name: string, context: string, { key, value, time, lifetime }: ContextChange): void {
    this.#touch(name, time);
    const state = this.#states.get(name) ?? { context, values: new Map(), expiresAt: 0, lifetime };
    state.lifetime = lifetime;
    state.expiresAt = Math.max(state.expiresAt, time + lifetime);
    if (value === undefined) state.values.delete(key);
    else state.values.set(key, value);
    if (state.values.size > 0) this.#set(name, state);
    else this.#delete(name);
  }

  #set(name: string, state: ContextState): void {
    if (!this.#states.has(name)) this.#keepers.set(state.context, (this.#keepers.get(state.context) ?? 0) + 1);
    this.#states.set(name, state);
  }

  #delete(name: string): void {
    const state = this.#states.get(name);
    if (!state) return;
    this.#states.delete(name);
    const keepers = (this.#keepers.get(state.context) ?? 0) - 1;
    if (keepers > 0) this.#keepers.set(state.context, keepers);
    else this.#keepers.delete(state.context);
  }
}

function contextName({ tenant, subject }: Owner, contextId: string): string {
  return JSON.stringify([tenant, subject, contextId]);
}

function nameOf({ tenant, subject, agent }: KeyScope, contextId: string): string {
  return JSON.stringify([tenant, subject, agent, contextId]);
}
