import type { Owner, SharedContext, ShareResult, TaskHead } from '../../engine/ports.ts';

/** A context of one owner, the number of its tasks, and the subjects that it is shared with. */
interface Claim {
  readonly id: string;
  readonly owner: Owner;
  tasks: number;
  /** Undefined where it is not shared, as nearly all are. */
  members: Set<string> | undefined;
}

/** True where the context holds values for later tasks. */
type Keeps = (owner: Owner, contextId: string) => boolean;

/** The claims of each owner: by tenant, then by subject, then by id. */
class ClaimsByOwner {
  readonly #claims: Map<string, Map<string, Map<string, Claim>>> = new Map();

  of({ tenant, subject }: Owner): ReadonlyMap<string, Claim> | undefined {
    return this.#claims.get(tenant)?.get(subject);
  }

  get(owner: Owner, id: string): Claim | undefined {
    return this.of(owner)?.get(id);
  }

  set({ tenant, subject }: Owner, claim: Claim): void {
    const subjects = this.#claims.get(tenant) ?? new Map<string, Map<string, Claim>>();
    const contexts = subjects.get(subject) ?? new Map<string, Claim>();
    this.#claims.set(tenant, subjects.set(subject, contexts.set(claim.id, claim)));
  }

  delete({ tenant, subject }: Owner, id: string): void {
    const subjects = this.#claims.get(tenant);
    const contexts = subjects?.get(subject);
    contexts?.delete(id);
    if (contexts?.size === 0) subjects?.delete(subject);
    if (subjects?.size === 0) this.#claims.delete(tenant);
  }
}

/** The contexts of each owner. One exists for as long as there is a task or something is kept. */
export class ContextClaims {
  readonly #owned = new ClaimsByOwner();
  /** Contexts of others that a subject may use. */
  readonly #joined = new ClaimsByOwner();
  /** Claims without a task. */
  readonly #idle: Set<Claim> = new Set();

  owner(caller: Owner, contextId: string): Owner | undefined {
    return (this.#owned.get(caller, contextId) ?? this.#joined.get(caller, contextId))?.owner;
  }

  /** True if the id means another subject's context to this one. */
  isJoined(caller: Owner, contextId: string): boolean {
    return this.#joined.get(caller, contextId) !== undefined;
  }

  shared(member: Owner, limit: number): readonly SharedContext[] {
    const joined = this.#joined.of(member)?.values() ?? [];
    return [...joined].slice(0, limit).map(({ owner, id }) => ({ owner, contextId: id }));
  }

  share(owner: Owner, contextId: string, subjects: readonly string[]): ShareResult {
    const claim = this.#owned.get(owner, contextId);
    if (!claim) return { kind: 'unknown' };
    const members = subjects.filter((subject) => subject !== owner.subject);
    for (const subject of members) {
      const holder = this.owner({ tenant: owner.tenant, subject }, contextId);
      if (holder && holder.subject !== owner.subject) return { kind: 'taken', subject };
    }
    for (const subject of members) {
      claim.members ??= new Set();
      claim.members.add(subject);
      this.#joined.set({ tenant: owner.tenant, subject }, claim);
    }
    return { kind: 'shared' };
  }

  /** A task was added to the context. */
  add({ owner, contextId }: TaskHead): void {
    const claim = this.#owned.get(owner, contextId);
    if (!claim) {
      this.#owned.set(owner, { id: contextId, owner, tasks: 1, members: undefined });
      return;
    }
    claim.tasks += 1;
    this.#idle.delete(claim);
  }

  /** A task of the context was removed. */
  remove({ owner, contextId }: TaskHead, keeps: Keeps): void {
    const claim = this.#owned.get(owner, contextId);
    if (!claim) return;
    claim.tasks -= 1;
    if (claim.tasks === 0) this.#settle(claim, keeps);
  }

  sweep(keeps: Keeps): void {
    for (const claim of this.#idle) this.#settle(claim, keeps);
  }

  #settle(claim: Claim, keeps: Keeps): void {
    const { id, owner, members } = claim;
    if (keeps(owner, id)) {
      this.#idle.add(claim);
      return;
    }
    this.#idle.delete(claim);
    this.#owned.delete(owner, id);
    for (const subject of members ?? []) this.#joined.delete({ tenant: owner.tenant, subject }, id);
  }
}
