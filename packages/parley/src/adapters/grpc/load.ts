import type * as Listening from './listen.ts';
import { requireGrpc } from './packages.ts';

/** Not written where it is imported, so that bundlers leave it alone: Workers have no gRPC, and most servers do not serve it. */
const ENTRY = 'parley-a2a/grpc';

/** Rejects with a sentence that says what to install where the packages of gRPC are missing. */
export async function loadGrpcAdapter(): Promise<typeof Listening> {
  await requireGrpc();
  let entry: { readonly grpcAdapter: () => Promise<typeof Listening> };
  try {
    entry = await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ ENTRY);
  } catch (cause) {
    throw new Error('gRPC cannot be loaded here: it needs Node, and parley-a2a as a package beside this program', {
      cause,
    });
  }
  return entry.grpcAdapter();
}
