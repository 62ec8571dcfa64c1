import { busContract } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { unreliableBus } from '../support/nodes/unreliable-bus.ts';

describe('the bus contract: within one process', () => {
  busContract({ describe, it, expect }, () => {
    const bus = localBus();
    return { first: bus, second: bus };
  });
});

describe('the bus contract: slow, with watches that become active late', () => {
  busContract({ describe, it, expect }, () => {
    const bus = unreliableBus({ delay: 3, activation: 10 });
    return { first: bus, second: bus };
  });
});
