import { busContract } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { unreliableBus } from '../support/nodes/unreliable-bus.ts';
import { PATIENCE_MS } from '../support/patience.ts';

describe('the bus contract: within one process', () => {
  const openBus = () => {
    const bus = localBus();
    return { first: bus, second: bus };
  };
  busContract({ describe, it, expect }, openBus, { patience: PATIENCE_MS });
});

describe('the bus contract: slow, with watches that become active late', () => {
  const openBus = () => {
    const bus = unreliableBus({ delay: 3, activation: 10 });
    return { first: bus, second: bus };
  };
  busContract({ describe, it, expect }, openBus, { patience: PATIENCE_MS });
});
