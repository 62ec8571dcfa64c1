import { A2AError } from '../../../model/errors/errors.ts';
import type { ClientBinding } from '../../binding.ts';
import { GRPC } from '../name.ts';
import { grpcAddress, isOfSameHost } from './address.ts';
import { grpcFetch } from './call/carried.ts';
import { loadedCaller } from './loaded-caller.ts';

/** Not written where it is imported, so that bundlers leave it alone: browsers have no gRPC. */
const ENTRY = 'parley-a2a/grpc';

let loaded: ClientBinding | undefined;

/**
 * gRPC where it is asked for, or where a card names nothing else. The client of `parley-a2a` has it, and loads the entry
 * `parley-a2a/grpc` with the first call.
 */
export const lazyGrpc: ClientBinding = {
  protocolBinding: GRPC,
  isLastResort: true,
  addressOf: (url, all) => grpcAddress(url, all, undefined),
  fetch: grpcFetch,
  isTrusted: isOfSameHost,
  open: (options) => loaded?.open(options) ?? loadedCaller(async () => (await load()).open(options)),
};

async function load(): Promise<ClientBinding> {
  try {
    const entry = (await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ ENTRY)) as {
      readonly grpc: () => ClientBinding;
    };
    loaded = entry.grpc();
    return loaded;
  } catch (cause) {
    const advice = 'gRPC cannot be loaded here: it needs Node, and parley-a2a as a package beside this program';
    throw new A2AError('UNSUPPORTED_OPERATION', advice, { cause });
  }
}
