import { sha256, toHex } from '../../model/basics/bytes.ts';
import { isA2AError, keyConflict } from '../../model/errors/errors.ts';
import type { Message } from '../../model/task.ts';
import { CommitRefused } from '../log/refusals.ts';
import { LONGEST_LIFETIME } from '../node/retention.ts';
import type { Clock, KeyScope, Store } from '../ports.ts';
import { type KeyDraft, SECRET_DIGEST } from '../task/opening.ts';

/** The result that an idempotency key stands for. */
export type KeyTarget =
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'task'; readonly taskId: string; readonly messageSeq: number };

interface Running {
  readonly digest: string;
  readonly target: PromiseWithResolvers<KeyTarget>;
}

/**
 * Idempotent sends. The first send with a key starts the work and the key is written in the commit that creates the
 * task; the same key joins it, whether that send is still on its way, was answered, or happened before a restart.
 */
export class Keys {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #running = new Map<string, Running>();

  constructor(store: Store, clock: Clock, lifetime: number) {
    this.#store = store;
    this.#clock = clock;
    this.#lifetime = Math.min(lifetime, LONGEST_LIFETIME);
  }

  /** Runs `start` for a new key, or `join` with what a known one led to. */
  async once<Result extends KeyTarget>(
    scope: KeyScope,
    key: string,
    request: unknown,
    start: (draft: KeyDraft) => Promise<Result>,
    join: (target: KeyTarget) => Promise<Result>,
  ): Promise<Result> {
    const digest = await digestOf(request);
    const name = JSON.stringify([scope.tenant, scope.subject, scope.agent, key]);
    const earlier = this.#running.get(name);
    if (earlier) {
      requireSame(earlier.digest, digest);
      return join(await earlier.target.promise);
    }
    const target = Promise.withResolvers<KeyTarget>();
    target.promise.catch(() => {});
    this.#running.set(name, { digest, target });
    try {
      const known = await this.#known(scope, key, digest);
      const draft: KeyDraft = { scope, key, digest, expiresAt: this.#clock.now() + this.#lifetime };
      const begin = () => this.#started(scope, key, digest, draft, start, join);
      const result = known ? await this.#joined(scope, key, digest, () => join(known), begin) : await begin();
      target.resolve(result);
      return result;
    } catch (error) {
      target.reject(error);
      throw error;
    } finally {
      this.#running.delete(name);
    }
  }

  async #known(scope: KeyScope, key: string, digest: string): Promise<KeyTarget | undefined> {
    const record = await this.#store.key(scope, key, this.#clock.now());
    if (!record) return undefined;
    if (record.digest !== SECRET_DIGEST) requireSame(record.digest, digest);
    if (record.reply) return { kind: 'reply', message: record.reply };
    return { kind: 'task', taskId: record.taskId ?? '', messageSeq: record.messageSeq ?? 0 };
  }

  /** The task may be purged before it is joined, and its key with it: then the send is the first one again. */
  async #joined<Result>(
    scope: KeyScope,
    key: string,
    digest: string,
    join: () => Promise<Result>,
    begin: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await join();
    } catch (error) {
      const isMissing = isA2AError(error) && error.code === 'TASK_NOT_FOUND';
      if (!isMissing || (await this.#known(scope, key, digest))) throw error;
      return begin();
    }
  }

  /** Another node may have used the key in the meantime; its commit wins and this one joins it. */
  async #started<Result extends KeyTarget>(
    scope: KeyScope,
    key: string,
    digest: string,
    draft: KeyDraft,
    start: (draft: KeyDraft) => Promise<Result>,
    join: (target: KeyTarget) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await start(draft);
    } catch (error) {
      const taken = error instanceof CommitRefused && error.result === 'key-taken';
      const winner = taken ? await this.#known(scope, key, digest) : undefined;
      if (!winner) throw error;
      return join(winner);
    }
  }
}

function requireSame(first: string, second: string): void {
  if (first !== second) throw keyConflict();
}

async function digestOf(request: unknown): Promise<string> {
  return toHex(await sha256(JSON.stringify(request)));
}
