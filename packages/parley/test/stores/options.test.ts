import { describe, expect, it } from 'vitest';
import { memory } from '../../src/index.ts';
import { nats } from '../../src/nats.ts';
import { postgres, postgresBus } from '../../src/postgres.ts';
import { sqlite } from '../../src/sqlite.ts';

type Loose = (...given: unknown[]) => unknown;

const ADDRESS = 'postgres://parley:secret@127.0.0.1/agents';
const THREE = 'full, normal or off';

describe('options of a store or a bus', () => {
  it.each<[Loose, readonly unknown[], string]>([
    // A word that SQLite does not know is no error there: it would take commits to be durable without a word.
    [sqlite as Loose, [':memory:', { synchronous: 'fulll' }], `sqlite: synchronous must be ${THREE}, not "fulll"`],
    [sqlite as Loose, [':memory:', { synchronous: 'FULL' }], `sqlite: synchronous must be ${THREE}, not "FULL"`],
    [
      sqlite as Loose,
      [':memory:', { synchronus: 'off' }],
      'sqlite: there is no option synchronus; did you mean synchronous?',
    ],
    [sqlite as Loose, [':memory:', { writer: 'thread' }], 'sqlite: writer must be worker or loop, not "thread"'],
    [
      sqlite as Loose,
      [':memory:', { busyTimeout: -1 }],
      'sqlite: busyTimeout must be a number of milliseconds that is not negative, not -1',
    ],
    [
      sqlite as Loose,
      [':memory:', null],
      'sqlite: the options must be an object with synchronous, writer, busyTimeout, now, not null',
    ],
    [sqlite as Loose, [], 'sqlite: the path must be the path of a file, such as tasks.db, not undefined'],
    [sqlite as Loose, [''], 'sqlite: the path must be the path of a file, such as tasks.db, not ""'],
    [
      sqlite as Loose,
      [new URL('file:///tasks.db')],
      'sqlite: the path must be the path of a file, such as tasks.db, not a URL',
    ],
    [memory as Loose, [{ share: true }], 'memory: there is no option share; did you mean shared?'],
    [memory as Loose, [{ shared: 'yes' }], 'memory: shared must be true or false, not "yes"'],
    [postgres as Loose, [ADDRESS, { shcema: 'x' }], 'postgres: there is no option shcema; did you mean schema?'],
    [postgres as Loose, [ADDRESS, { now: 5 }], 'postgres: now must be a function, not 5'],
    [
      postgresBus as Loose,
      [ADDRESS, { timeout: 5 }],
      'postgresBus: there is no option timeout; there are schema, pool',
    ],
    [nats as Loose, [{ server: 'nats://a' }], 'nats: there is no option server; did you mean servers?'],
    [
      nats as Loose,
      [{ servers: [5] }],
      'nats: servers must be the address of a server, such as nats://127.0.0.1:4222, or a list of them, not a list',
    ],
    [
      nats as Loose,
      [{}],
      'nats: servers must be the address of a server, such as nats://127.0.0.1:4222, or a list of them, not undefined',
    ],
    [nats as Loose, [], 'nats: the options must be an object with servers, prefix, connection, not undefined'],
  ])('is refused if there is none of that name, or its value is wrong: %o %j', (make, given, problem) => {
    expect(() => make(...given)).toThrow(new TypeError(problem));
  });

  it('may be there without a value', () => {
    sqlite(':memory:', { synchronous: undefined, writer: 'loop', busyTimeout: 0 });
    memory({ shared: undefined });
    postgres(ADDRESS, { schema: undefined });
    nats({ servers: ['nats://127.0.0.1:4222'], prefix: undefined });
  });
});
