import { memberStatements, type ShareRows } from '../../sql/context-members.ts';
import type { Cell } from '../../sql/dialect.ts';
import { type Database, prepareAll } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** Shares contexts, inside a transaction of the writer. */
export class ContextSharing {
  readonly #statements: SharingStatements;

  constructor(database: Database) {
    this.#statements = prepareSharing(database);
  }

  /** True if the id means another subject's context to this one. */
  isJoined(tenant: Cell, subject: Cell, contextId: Cell): boolean {
    return this.#statements.joined.get(tenant, subject, contextId) !== undefined;
  }

  /** Returns `shared`, `unknown`, or `taken` and the member that has a context of that id already. */
  share({ tenant, subject, contextId, members }: ShareRows): readonly string[] {
    const { owned, joined, join } = this.#statements;
    if (!owned.get(tenant, subject, contextId)) return ['unknown'];
    const others = members.filter((member) => member !== subject);
    for (const member of others) {
      const holder = owned.get(tenant, member, contextId) ?? joined.get(tenant, member, contextId);
      if (holder && holder.subject !== subject) return ['taken', String(member)];
    }
    for (const member of others) join.run(tenant, member, contextId, subject);
    return ['shared'];
  }
}

type SharingStatements = ReturnType<typeof prepareSharing>;

function prepareSharing(database: Database) {
  const { owned, joined, join } = memberStatements(SQLITE);
  return {
    owned: database.prepare<{ readonly subject: string }>(owned),
    joined: database.prepare<{ readonly subject: string }>(joined),
    ...prepareAll(database, { join }),
  };
}
