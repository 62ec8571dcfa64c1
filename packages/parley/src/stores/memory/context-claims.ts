import type { Owner, TaskHead } from '../../engine/ports.ts';

/** The owner of a context, and the number of its tasks. */
interface Claim {
  readonly id: string;
  readonly owner: Owner;
  tasks: number;
}

/** True where the context holds values for later tasks. */
type Keeps = (tenant: string, contextId: string) => boolean;

/** Contexts belong to the subject whose task was first in them, for as long as there is a task or something is kept. */
export class ContextClaims {
  /** By tenant, then by id. */
  readonly #claims: Map<string, Map<string, Claim>> = new Map();
  /** Claims without a task. */
  readonly #idle: Set<Claim> = new Set();

  owner(tenant: string, contextId: string): Owner | undefined {
    return this.#claims.get(tenant)?.get(contextId)?.owner;
  }

  /** A task was added to the context. */
  add({ owner, contextId }: TaskHead): void {
    let contexts = this.#claims.get(owner.tenant);
    if (!contexts) {
      contexts = new Map();
      this.#claims.set(owner.tenant, contexts);
    }
    const claim = contexts.get(contextId);
    if (!claim) {
      contexts.set(contextId, { id: contextId, owner, tasks: 1 });
      return;
    }
    claim.tasks += 1;
    this.#idle.delete(claim);
  }

  /** A task of the context was removed. */
  remove({ owner, contextId }: TaskHead, keeps: Keeps): void {
    const claim = this.#claims.get(owner.tenant)?.get(contextId);
    if (!claim) return;
    claim.tasks -= 1;
    if (claim.tasks === 0) this.#settle(claim, keeps);
  }

  sweep(keeps: Keeps): void {
    for (const claim of this.#idle) this.#settle(claim, keeps);
  }

  #settle(claim: Claim, keeps: Keeps): void {
    const { id, owner } = claim;
    if (keeps(owner.tenant, id)) {
      this.#idle.add(claim);
      return;
    }
    this.#idle.delete(claim);
    const contexts = this.#claims.get(owner.tenant);
    contexts?.delete(id);
    if (contexts?.size === 0) this.#claims.delete(owner.tenant);
  }
}
