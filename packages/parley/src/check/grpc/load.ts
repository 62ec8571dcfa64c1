import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type { Limits } from '../wire/budget.ts';
import type { Transport } from '../wire/transport.ts';

/** Gets what speaks gRPC; rejects where the packages that it needs are not installed. */
export type ImportGrpc = () => Promise<(limits: Limits) => Transport>;

/** For a check that is not handed what speaks gRPC, such as one whose requests go through a guard: gRPC would go past it. */
export const notCarried: ImportGrpc = async () => {
  throw new A2AError('UNSUPPORTED_OPERATION', 'gRPC is not looked at from here; `parley check` does it');
};

/** Throws an A2AError that says why it cannot be had, and what to install. */
export async function loadGrpc(load: ImportGrpc, limits: Limits): Promise<Transport> {
  try {
    return (await load())(limits);
  } catch (cause) {
    if (isA2AError(cause)) throw cause;
    const text = 'An interface of gRPC takes two more packages: npm install @grpc/grpc-js @bufbuild/protobuf';
    throw new A2AError('UNSUPPORTED_OPERATION', text, { cause });
  }
}
