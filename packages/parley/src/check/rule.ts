import type { Probe } from './probe/probe.ts';
import type { Server } from './probe/server.ts';

/**
 * The check of a rule. Its level, section and text are in the table of the reference, under the id. A check that returns
 * has passed; `fail`, `skip` and `inapplicable` end it otherwise.
 */
export type Rule = ServerRule | InterfaceRule | ObservedRule;

interface Named {
  readonly id: string;
}

/** Looked at once for a server. */
interface ServerRule extends Named {
  readonly server: (server: Server) => Promise<void> | void;
}

/** Looked at on every interface whose version and binding the rule is about. */
interface InterfaceRule extends Named {
  readonly check: (probe: Probe) => Promise<void> | void;
}

/** Judges all that was seen on an interface, after the other rules. */
interface ObservedRule extends Named {
  readonly observed: (probe: Probe) => Promise<void> | void;
}
