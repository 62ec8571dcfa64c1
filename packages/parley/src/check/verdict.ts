import type { Exchange } from './wire/exchange.ts';

/** Ends the check of a rule; a check that ends without one has passed. */
export abstract class Ending extends Error {}

/** The rule is broken. The exchanges show it. */
export class Broken extends Ending {
  readonly exchanges: readonly Exchange[];

  constructor(what: string, exchanges: readonly Exchange[]) {
    super(what);
    this.exchanges = exchanges;
  }
}

/** The rule may hold or not: this server did not show it. */
export class Unseen extends Ending {}

/** The rule says nothing about this server, such as one about push for a server without push. */
export class Inapplicable extends Ending {}

/** Ends a check with a FAIL. Without exchanges the last one of the rule is shown. */
export function fail(what: string, ...exchanges: readonly (Exchange | undefined)[]): never {
  throw new Broken(
    what,
    exchanges.filter((exchange) => exchange !== undefined),
  );
}

/** Ends a check with a SKIP. */
export function skip(why: string): never {
  throw new Unseen(why);
}

/** Ends the check of a rule that says nothing about this server. */
export function inapplicable(why: string): never {
  throw new Inapplicable(why);
}
