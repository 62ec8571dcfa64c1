import { describe } from 'vitest';
import { carrier } from '../../support/http/carrier.ts';

/**
 * What the SDK's own client cannot do, so that no server can make up for it. Each `false` is a loss inside
 * @a2a-js/sdk 1.3.0: its 0.3 HTTP+JSON transport goes through the types of the 0.3.0 proto, which have no place for the
 * things below, and back.
 */
export interface SdkAbilities {
  /** 0.3 has no listing of tasks: the client refuses by itself, without a request. */
  readonly lists: boolean;
  /** A `historyLength` of 0 is a default of the proto and is left out of a send. */
  readonly saysNoHistory: boolean;
  /** `append` is dropped when an artifact update is read: it is false on every chunk. */
  readonly readsAppend: boolean;
  /** The proto's parts have neither metadata nor file names, and with the metadata goes the mark of wrapped data. */
  readonly keepsPartAttributes: boolean;
  /** Text and data parts have a media type and a file name only in 1.0. */
  readonly keepsMediaTypeOfText: boolean;
  /** The proto's messages have no `referenceTaskIds`, and the extensions of an artifact are not read. */
  readonly keepsReferences: boolean;
  /** 0.3 has no tenants. */
  readonly knowsTenants: boolean;
  /** Requests go through `fetch`, where tests can see and change them. */
  readonly usesFetch: boolean;
  /** What is given up by a signal fails with an AbortError. */
  readonly failsAsAborted: boolean;
  /** A byte order mark at the beginning of a text is kept. */
  readonly keepsByteOrderMark: boolean;
  /** A `historyLength` of 0 is left out of a get as well, and all of the history comes. */
  readonly getsNoHistory: boolean;
}

export type Version = '1.0' | '0.3';
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** One way of talking to the server: a version and a binding. */
export interface Row {
  readonly version: Version;
  readonly binding: Binding;
  readonly sdk: SdkAbilities;
}

const EVERYTHING: SdkAbilities = {
  lists: true,
  saysNoHistory: true,
  readsAppend: true,
  keepsPartAttributes: true,
  keepsMediaTypeOfText: true,
  keepsReferences: true,
  knowsTenants: true,
  usesFetch: true,
  failsAsAborted: true,
  keepsByteOrderMark: true,
  getsNoHistory: true,
};
/** Over gRPC. */
const BY_CHANNEL = { usesFetch: false, failsAsAborted: false, keepsByteOrderMark: false } as const;
const OLD_JSON: SdkAbilities = { ...EVERYTHING, lists: false, keepsMediaTypeOfText: false, knowsTenants: false };
const OLD_PROTO: SdkAbilities = {
  ...OLD_JSON,
  saysNoHistory: false,
  readsAppend: false,
  keepsPartAttributes: false,
  keepsReferences: false,
};

export const ROWS: readonly Row[] = [
  { version: '1.0', binding: 'JSONRPC', sdk: EVERYTHING },
  { version: '1.0', binding: 'HTTP+JSON', sdk: EVERYTHING },
  { version: '0.3', binding: 'JSONRPC', sdk: OLD_JSON },
  { version: '0.3', binding: 'HTTP+JSON', sdk: OLD_PROTO },
];

/** gRPC has a port of its own, which not every server has. */
export const GRPC_ROWS: readonly Row[] = [
  { version: '1.0', binding: 'GRPC', sdk: { ...EVERYTHING, ...BY_CHANNEL } },
  { version: '0.3', binding: 'GRPC', sdk: { ...OLD_PROTO, ...BY_CHANNEL, getsNoHistory: false } },
];

/** Runs a suite once for every version and binding. */
export function matrix(suite: (row: Row) => void, rows = ROWS): void {
  describe.each(rows)('A2A $version over $binding', suite);
}

/**
 * The same, and over gRPC where the suites run by that (`test/grpc-rules`). What only HTTP shows is run by what the SDK can do there
 * (`usesFetch`).
 */
export function everyMatrix(suite: (row: Row) => void): void {
  matrix(suite, carrier() ? GRPC_ROWS : ROWS);
}
