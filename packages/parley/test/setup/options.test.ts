import { describe, expect, it } from 'vitest';
import { A2AServer, type A2AServerOptions, defineAgent } from '../../src/index.ts';

const agent = defineAgent({ name: 'a', description: 'a', version: '1.0.0', run: () => 'done' });
const made = (options: object) => () => new A2AServer({ agents: [agent], ...(options as Partial<A2AServerOptions>) });

describe('options of a server that there are not', () => {
  it.each([
    [{ auht: [] }, 'There is no option auht; did you mean auth?'],
    [{ limits: { runTimeot: 1 } }, 'There is no option limits.runTimeot; did you mean limits.runTimeout?'],
    [{ card: { singed: [] } }, 'There is no option card.singed; there are shape, sign, access, maxAge'],
    [{ port: 4000 }, 'The option port is one of listen(): server.listen({ port: … })'],
    [{ cards: 'guarded' }, 'The option cards is card.access now'],
    [{ cardMaxAge: 60 }, 'The option cardMaxAge is card.maxAge now'],
    [{ limits: { closeGrace: 0 } }, 'The option limits.closeGrace is drainTimeout now'],
    [{ limits: { taskRetention: 0 } }, 'The option limits.taskRetention is retention.tasks now'],
    [{ limits: { contextLifetime: 0 } }, 'The option limits.contextLifetime is retention.contexts now'],
    [{ limits: { keyLifetime: 0 } }, 'The option limits.keyLifetime is retention.keys now'],
  ])('are refused: %j', (options, problem) => {
    expect(made(options)).toThrow(new TypeError(problem));
  });

  it('are refused with the names that there are, of which a long one is cut', () => {
    expect(made({ ['x'.repeat(1000)]: 1 })).toThrow(/^There is no option x{64}; there are agents, default, url, /);
  });

  it('may be there without a value', () => {
    expect(made({ cards: undefined, limits: { runTimeot: undefined } })).not.toThrow();
  });
});

describe('the option `card`', () => {
  it.each([
    [{ access: 'private' }, 'card.access is "private"; it must be public or guarded'],
    [{ maxAge: -1 }, 'card.maxAge must be a number of seconds that is not negative, not -1'],
    [{ maxAge: '60' }, 'card.maxAge must be a number of seconds that is not negative, not 60'],
    [{ access: 'guarded' }, "card.access 'guarded' needs auth, which tells who may read cards"],
  ])('refuses %j', (card, problem) => {
    expect(made({ card })).toThrow(new TypeError(problem));
  });
});
