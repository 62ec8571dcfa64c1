/** What a test and its server process say to each other. */
export type StoreKind = 'memory' | 'sqlite';

export interface StartOptions {
  readonly store: StoreKind;
  /** Where the database of `sqlite` is. */
  readonly file: string;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** What brings the server on the network: one of `test/adapters/hosts`. Default: `listen`. */
  readonly host?: string | undefined;
}

/**
 * `go` lets the agents write that wait for it, `collect` runs the collector first; each is answered by how things are
 * then.
 */
export type Question = 'go' | 'report' | 'collect';

export interface ServerReport {
  /** Bytes in use; what nobody needs any more is among them unless the collector has run. */
  readonly held: number;
  /** How many resources of each kind keep the process busy. */
  readonly resources: Readonly<Record<string, number>>;
  /** Open file descriptors; undefined where the system does not tell. */
  readonly descriptors: number | undefined;
  readonly load: { readonly tasks: number; readonly feeds: number; readonly subscriptions: number };
  /** How many agents have written all that they were asked for. */
  readonly written: number;
}

export type Answer = { readonly url: string } | ServerReport;
