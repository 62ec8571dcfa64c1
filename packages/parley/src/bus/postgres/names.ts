import { createHash } from 'node:crypto';

/** The names that the nodes of one schema use in their database. */
export interface BusNames {
  /** The table, as it stands in a statement. */
  readonly table: string;
  readonly schema: string;
  /** All nodes listen here for notices. */
  readonly notices: string;
  /** A node listens here for commands and responses. */
  readonly inboxOf: (node: string) => string;
  /** The key of the advisory lock that a node holds while it listens. */
  readonly lockOf: (node: string) => string;
  /** The name of a node's session among those of the database. */
  readonly sessionOf: (node: string) => string;
}

export function busNames(schema: string): BusNames {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const own = digestOf(schema).slice(0, 12);
  const wordOf = (node: string) => digestOf(`${schema}\0${node}`).slice(0, 32);
  return {
    table: `${quoted}.bus_messages`,
    schema: quoted,
    notices: `parley_${own}`,
    inboxOf: (node) => `parley_${own}_${wordOf(node)}`,
    lockOf: (node) => BigInt.asIntN(64, BigInt(`0x${wordOf(node).slice(0, 16)}`)).toString(),
    sessionOf: (node) => `parley bus ${wordOf(node)}`,
  };
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
