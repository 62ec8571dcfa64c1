import { A2AError } from '../../../model/errors/errors.ts';
import type { ClientBinding } from '../../binding.ts';
import type { BindingCaller, BindingCallerOptions } from '../../caller.ts';
import { GRPC } from '../name.ts';
import { grpcAddress, isOfSameHost } from './address.ts';
import { grpcFetch } from './call/carried.ts';
import { loadedCaller } from './loaded-caller.ts';
import type { GrpcClientOptions } from './options.ts';

/**
 * gRPC for clients, in 1.0 and 0.3: `new A2AClient(url, { bindings: [grpc()] })`. It needs `@grpc/grpc-js` and
 * `@bufbuild/protobuf`, which are loaded with the first call.
 */
export function grpc(settings: GrpcClientOptions = {}): ClientBinding {
  const { tls } = settings;
  return {
    protocolBinding: GRPC,
    addressOf: (url, all) => grpcAddress(url, all, tls === undefined ? undefined : tls !== false),
    fetch: grpcFetch,
    isTrusted: isOfSameHost,
    open: (options) => opened?.(options, settings) ?? loadedCaller(async () => (await load())(options, settings)),
  };
}

type OpenCaller = (options: BindingCallerOptions, settings: GrpcClientOptions) => BindingCaller;

/** Set once the packages are loaded. */
let opened: OpenCaller | undefined;

async function load(): Promise<OpenCaller> {
  try {
    const [{ grpcCaller }, package_] = await Promise.all([import('./caller.ts'), import('@grpc/grpc-js')]);
    opened = (options, settings) => grpcCaller(package_, options, settings);
    return opened;
  } catch (cause) {
    const advice = 'Calls over gRPC need other packages: npm install @grpc/grpc-js @bufbuild/protobuf';
    throw new A2AError('UNSUPPORTED_OPERATION', advice, { cause });
  }
}
