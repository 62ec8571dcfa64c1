import type { connect, NatsConnection } from '@nats-io/transport-node';

export type { NatsConnection };

/** Time does not mend it. */
class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/** Loads the client of NATS, which only those need who have a bus by it. */
export async function loadConnect(): Promise<typeof connect> {
  try {
    return (await import('@nats-io/transport-node')).connect;
  } catch (cause) {
    throw new MissingPackageError('A bus by NATS needs another package: npm install @nats-io/transport-node', {
      cause,
    });
  }
}
