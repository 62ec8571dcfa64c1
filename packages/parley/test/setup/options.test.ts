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
    [{ cardUrl: 'https://agents.example.com' }, 'The option cardUrl is url now'],
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

const A_URL = 'url must be an absolute URL of http or https, such as https://agents.example.com';
const A_STORE = 'store must be a store, such as memory() or sqlite(file)';
const HOOKS = 'operation, run, commit, step, call, webhook, event, transform, onEvent';

describe('options of a server with a wrong value', () => {
  it.for<[Record<string, unknown>, string]>([
    [{ url: 'localhost:4000' }, `${A_URL}, not "localhost:4000"`],
    [{ url: 'http:/agents.example.com' }, `${A_URL}, not "http:/agents.example.com"`],
    [{ url: null }, `${A_URL}, not null`],
    // It may be an address with a password in it.
    [{ store: 'tasks.db' }, `${A_STORE}, not a string`],
    [{ store: Promise.resolve() }, `${A_STORE}, not a Promise: await it first`],
    [{ store: null }, `${A_STORE}, not null`],
    [{ taskStore: {} }, 'taskStore must be a task store with create, get, update and list, not an object'],
    [{ authorize: true }, 'authorize must be a function, not true'],
    [{ interceptors: () => 1 }, 'interceptors must be a list of interceptors, not a function'],
    [{ interceptors: [() => 1] }, `interceptors[0] must be an object with functions, some of ${HOOKS}, not a function`],
    [
      { interceptors: [{ opration: () => 1 }] },
      'There is no option interceptors[0].opration; did you mean interceptors[0].operation?',
    ],
    [{ anonymous: 'public' }, 'anonymous must be shared or private, not "public"'],
    [{ statusMessageSource: 'last' }, 'statusMessageSource must be agent or latest, not "last"'],
    [{ errorTable: '1.0' }, 'errorTable must be 1.0.0 or 1.0.1, not "1.0"'],
    [{ open: 'yes' }, 'open must be true or false, not "yes"'],
    [{ trustProxy: 1 }, 'trustProxy must be true or false, not 1'],
    [{ inferVersion: 'no' }, 'inferVersion must be true or false, not "no"'],
    [{ basePath: 5 }, 'basePath must be a string, not 5'],
    [{ retention: 5 }, 'retention must be an object, not 5'],
    [{ limits: null }, 'limits must be an object, not null'],
    [{ limits: { perCaller: {} } }, 'limits.perCaller must be a function, not an object'],
    [{ limits: { runs: 1.5 } }, 'limits.runs must be a whole number, not 1.5'],
    [{ log: {} }, 'log must be a logger with functions error and warn, not an object'],
    [{ clock: {} }, 'clock must be a clock with functions now and after, not an object'],
    [{ tenants: 5 }, 'tenants must be a list of strings, not 5'],
    [{ dialects: ['jaf'] }, 'dialects[0] must be a dialect of parley-a2a/dialects, or one of your own, not "jaf"'],
    [{ bindings: [{}] }, 'bindings[0]: a binding needs a protocolBinding: a URI that names it on cards'],
    [{ mounts: ['/x'] }, 'mounts[0] must be an object with path, dialect, agent, limits, not "/x"'],
    [{ fileEncoding: { write: 'thrice' } }, 'fileEncoding.write must be once or twice, not "thrice"'],
    [{ grpc: { port: 0, tls: true } }, 'grpc.tls must be an object with cert, key, ca, not true'],
  ])('are refused: %o', ([options, problem]) => {
    expect(made(options)).toThrow(new TypeError(problem));
  });

  it.for<[Record<string, unknown>, string]>([
    [{ limits: { rate: { requests: 1, window: 1, brust: 1 } } }, 'limits.rate.brust; did you mean limits.rate.burst?'],
    [{ limits: { load: { dely: 1 } } }, 'limits.load.dely; did you mean limits.load.delay?'],
    [
      { limits: { failedCredentials: { attempts: 1, window: 1, windw: 1 } } },
      'limits.failedCredentials.windw; did you mean limits.failedCredentials.window?',
    ],
    [{ metrics: { prot: 1 } }, 'metrics.prot; did you mean metrics.port?'],
    [{ grpc: { port: 0, reflecton: false } }, 'grpc.reflecton; did you mean grpc.reflection?'],
    [{ cors: { origins: true, credential: true } }, 'cors.credential; did you mean cors.credentials?'],
    [{ cors: { origin: true } }, 'cors.origin; did you mean cors.origins?'],
    [{ console: { tracingURL: 'x' } }, 'console.tracingURL; did you mean console.tracingUrl?'],
    [{ push: { evnts: 'all' } }, 'push.evnts; did you mean push.events?'],
    [{ push: { retry: { firstDely: 1 } } }, 'push.retry.firstDely; did you mean push.retry.firstDelay?'],
    [{ mounts: [{ path: '/x', dialect: 'jaf', agnet: 'a' }] }, 'mounts[0].agnet; did you mean mounts[0].agent?'],
    [{ fileEncoding: { wirte: 'once' } }, 'fileEncoding.wirte; did you mean fileEncoding.write?'],
    [{ auth: { type: 'bearer', validate: () => true, scopez: [] } }, 'auth.scopez; there are type, validate'],
  ])('are refused for a member that there is not: %o', ([options, problem]) => {
    expect(made(options)).toThrow(new TypeError(`There is no option ${problem}`));
  });

  it('may have members without a value, everywhere', () => {
    const rate = { requests: 1, window: 1, brust: undefined };
    const cors = { origins: true, credential: undefined };
    expect(
      made({ limits: { rate }, cors, grpc: { port: 0, tls: undefined }, push: { evnts: undefined } }),
    ).not.toThrow();
  });

  it('are refused in the limits of a mount, which is named', () => {
    const limits = { rate: { requests: 1, window: 1, brust: 1 } };
    expect(made({ mounts: [{ path: '/x', dialect: 'jaf', limits }] })).toThrow(
      'The mount /x: there is no option limits.rate.brust; did you mean limits.rate.burst?',
    );
  });
});

describe('a server', () => {
  it.for<[unknown, string]>([
    [undefined, 'A server takes options, such as { agents: [agent] }, not undefined'],
    [() => agent, 'A server takes options, such as { agents: [agent] }, not a function'],
    [{}, 'A server needs at least one agent: { agents: [agent] }'],
    [{ agents: null }, 'agents must be a list of agents, or an object with agents by their names, not null'],
    [{ agents: agent }, 'agents must be a list of agents, not one agent: { agents: [agent] }'],
    [{ agents: [undefined] }, 'agents[0] must be an agent of defineAgent, not undefined'],
    [
      { agents: { a: import('../../src/index.ts') } },
      'agents.a must be an agent of defineAgent, not a Promise: await it first',
    ],
    [{ agents: { '..': agent } }, 'The names of agents are part of their addresses: ".." cannot be one'],
  ])('is not made of %o', ([options, problem]) => {
    expect(() => new A2AServer(options as A2AServerOptions)).toThrow(new TypeError(problem));
  });

  it('takes no interceptor of a client, which is a function', () => {
    const server = new A2AServer({ agents: [agent] });
    for (const given of [() => 1, undefined, 'x']) {
      expect(() => server.use(given as never)).toThrow(
        `server.use: an extension must be an object with functions, some of ${HOOKS}, not `,
      );
    }
    expect(() => server.use({ opration: () => 1 } as never)).toThrow(
      'server.use: there is no option opration; did you mean operation?',
    );
  });

  it('takes an interceptor that a class makes, with members of its own', () => {
    class Counting {
      readonly seen: string[] = [];
      event(): void {
        this.seen.push('event');
      }
    }
    expect(() => new A2AServer({ agents: [agent] }).use(new Counting())).not.toThrow();
  });
});
