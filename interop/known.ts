import type { Binding, Version } from './calling.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Role } from './scenarios/scenario.ts';

/** What is expected to differ. `version` and `binding` stand for all of them where they are left out. */
export interface KnownDifference {
  readonly peer: string;
  readonly role: Role;
  readonly version?: Version;
  readonly binding?: Binding;
  readonly operations: readonly string[];
  /** Whose fault it is, and what happens. */
  readonly reason: string;
  /** The peer does not have the operation at all. */
  readonly isMissing?: boolean;
  /** It depends on who is quicker. */
  readonly isSometimes?: boolean;
}

/** Faults of peers that Parley cannot work around. An entry that no longer shows fails the run. */
export const KNOWN: readonly KnownDifference[] = [
  {
    peer: 'Python 0.3.26',
    role: 'client',
    binding: 'HTTP+JSON',
    operations: ['unknown task: subscribe'],
    reason: 'Its subscription ignores the HTTP status and reports an error about the content type.',
  },
  {
    peer: 'Python 0.3.26',
    role: 'server',
    operations: ['subscribe'],
    reason: 'Each reader of a stream writes the events to the task again, so `GetTask` shows chunks twice.',
    isSometimes: true,
  },
  {
    peer: 'Python 0.3.26',
    role: 'server',
    binding: 'HTTP+JSON',
    operations: ['push config, list', 'push config, delete'],
    reason: 'Its server does not implement it.',
    isMissing: true,
  },
  {
    peer: 'Python 0.3.26',
    role: 'server',
    binding: 'GRPC',
    operations: ['push config, list', 'push config, delete'],
    reason: 'Its server does not implement it.',
    isMissing: true,
  },
  {
    peer: 'Go 2.4.0',
    role: 'client',
    version: '1.0',
    binding: 'GRPC',
    operations: ['list'],
    reason: 'If a request names no page size, its client sends 0, which A2A refuses. With `PageSize` it works.',
  },
  {
    peer: 'Go 2.4.0',
    role: 'client',
    version: '0.3',
    binding: 'GRPC',
    operations: ['ended task: send'],
    reason:
      'It knows errors of 0.3 only by the codes of 1.0. UNIMPLEMENTED, the code of 0.3 here, becomes INTERNAL_ERROR; `a2a-go` v0.3.15 reads it.',
  },
  {
    peer: 'Python 1.3.0',
    role: 'server',
    version: '0.3',
    binding: 'HTTP+JSON',
    operations: ['push config, delete'],
    reason: 'Its server does not implement it.',
    isMissing: true,
  },
  {
    peer: 'Go 2.4.0',
    role: 'server',
    version: '1.0',
    operations: ['ended task: send'],
    reason: 'It returns INVALID_PARAMS instead of UNSUPPORTED_OPERATION.',
  },
];

/** The entry for one cell of the matrix. */
export function knownDifference(
  cell: { readonly peer: string; readonly role: Role; readonly version: Version; readonly binding: Binding },
  operation: string,
): KnownDifference | undefined {
  return KNOWN.find(
    ({ peer, role, version, binding, operations }) =>
      peer === cell.peer &&
      role === cell.role &&
      (version ?? cell.version) === cell.version &&
      (binding ?? cell.binding) === cell.binding &&
      operations.includes(operation),
  );
}

/** Operations that the table names and that there are not. */
export function unknownOperations(): readonly string[] {
  const names = new Set(SCENARIOS.map(({ name }) => name));
  return KNOWN.flatMap(({ operations }) => operations).filter((operation) => !names.has(operation));
}
