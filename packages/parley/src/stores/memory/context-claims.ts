import type { Owner, TaskHead } from '../../engine/ports.ts';

/** A context of one owner, and the number of its tasks. */
interface Claim {
  readonly id: string;
  readonly owner: Owner;
  tasks: number;
}

/** True where the context holds values for later tasks. */
type Keeps = (owner: Owner, contextId: string) => boolean;

/** The contexts of each owner. One exists for as long as there is a task or something is kept. */
export class ContextClaims {
  /** By tenant, then by subject, then by id. */
  readonly #claims: Map<string, Map<string, Map<string, Claim>>> = new Map();
  /** Claims without a task. */
  readonly #idle: Set<Claim> = new Set();

  owner(owner: Owner, contextId: string): Owner | undefined {
    return this.#of(owner)?.get(contextId)?.owner;
  }

  /** A task was added to the context. */
  add({ owner, contextId }: TaskHead): void {
    const contexts = this.#of(owner) ?? this.#open(owner);
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
    const claim = this.#of(owner)?.get(contextId);
    if (!claim) return;
    claim.tasks -= 1;
    if (claim.tasks === 0) this.#settle(claim, keeps);
  }

  sweep(keeps: Keeps): void {
    for (const claim of this.#idle) this.#settle(claim, keeps);
  }

  #of({ tenant, subject }: Owner): Map<string, Claim> | undefined {
    return this.#claims.get(tenant)?.get(subject);
  }

  #open({ tenant, subject }: Owner): Map<string, Claim> {
    const contexts = new Map<string, Claim>();
    const subjects = this.#claims.get(tenant);
    if (subjects) subjects.set(subject, contexts);
    else this.#claims.set(tenant, new Map([[subject, contexts]]));
    return contexts;
  }

  #settle(claim: Claim, keeps: Keeps): void {
    const { id, owner } = claim;
    if (keeps(owner, id)) {
      this.#idle.add(claim);
      return;
    }
    this.#idle.delete(claim);
    const subjects = this.#claims.get(owner.tenant);
    const contexts = subjects?.get(owner.subject);
    contexts?.delete(id);
    if (contexts?.size === 0) subjects?.delete(owner.subject);
    if (subjects?.size === 0) this.#claims.delete(owner.tenant);
  }
}
