import { nats } from 'parley-a2a/nats';
import { busContract } from 'parley-a2a/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NatsServer, startNats, WITHOUT_NATS } from '../support/nats/nats-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

describe.skipIf(WITHOUT_NATS)(`the bus contract: NATS${WITHOUT_NATS ? ` (${WITHOUT_NATS})` : ''}`, () => {
  let server: NatsServer | undefined;
  let url = process.env.NATS_URL ?? '';
  beforeAll(async () => {
    if (url !== '') return;
    server = await startNats();
    ({ url } = server);
  });
  afterAll(() => server?.kill());

  const openBus = () => {
    const prefix = `test-${crypto.randomUUID()}`;
    return { first: nats({ servers: url, prefix }), second: nats({ servers: url, prefix }) };
  };
  busContract({ describe, it, expect }, openBus, { patience: PATIENCE_MS });
});
