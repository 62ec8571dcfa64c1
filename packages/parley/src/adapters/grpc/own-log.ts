import { requireGrpc } from './packages.ts';

/**
 * Hands over what `@grpc/grpc-js` itself would write to the console, where texts of strangers stand as they came, such as
 * metadata that cannot be read. It holds for the whole process, and so is for whoever owns that. Does nothing where the packages of
 * gRPC are missing: the port cannot be opened then, which says so.
 */
export async function takeGrpcLog(write: (text: string) => void): Promise<void> {
  const grpc = await requireGrpc().catch(() => undefined);
  const line = (...texts: unknown[]) => write(texts.map(String).join(' '));
  grpc?.setLogger({ error: line, info: line, debug: line });
}
