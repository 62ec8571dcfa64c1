import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configDocs } from '../../../../scripts/config-docs.ts';
import { configSchema } from '../../../../scripts/config-tables.ts';
import { OPTIONS } from '../../src/cli/options.ts';
import type { Given } from '../../src/config/given.ts';
import { bytes, duration, flag } from '../../src/config/kinds.ts';
import { readAssignment as assignment, readEnvironment as environment } from '../../src/config/read-environment.ts';
import { readConfigFile } from '../../src/config/read-file.ts';
import { nested, resolveSettings } from '../../src/config/resolve.ts';
import { SETTINGS, VARIABLES } from '../../src/config/settings.ts';
import { nearest } from '../../src/model/options/nearest.ts';
import { ROOT } from '../setup/support/repository.ts';
import { membersOf } from '../setup/support/tables.ts';
import type { Wire } from '../support/rpc.ts';

const inFile = (value: unknown, isProgram = false) => readConfigFile({ name: 'file', value, isProgram }, nearest);
const readEnvironment = (env: Readonly<Record<string, string>>) => environment(env, nearest);
const readAssignment = (text: string) => assignment(text, nearest);
const valuesOf = (given: readonly Given[]) => nested(resolveSettings(given));

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    return (error as { readonly problems: readonly string[] }).problems;
  }
  return [];
}

describe('the table of settings', () => {
  it('is what the page and the JSON Schema are made of: npm run config', () => {
    for (const [file, text] of configDocs()) expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text);
  });

  it('has every option of a server and every limit', () => {
    const types = [
      ['server/options.ts', 'A2AServerOptions', ''],
      ['server/limits/limits.ts', 'ServerLimits', 'limits.'],
      ['engine/limits.ts', 'EngineLimits', 'limits.'],
      ['model/input-limits.ts', 'InputLimits', 'limits.'],
      ['model/traffic-limits.ts', 'TrafficLimits', 'limits.'],
      ['server/limits/traffic-settings.ts', 'CallerSettings', 'limits.'],
      ['server/push/settings.ts', 'PushSettings', 'push.'],
      ['server/push/settings.ts', 'PushRetry', 'push.retry.'],
      ['server/push/settings.ts', 'PushConcurrency', 'push.concurrency.'],
    ] as const;
    const known = [...SETTINGS.keys()];
    const missing = types.flatMap(([file, type, before]) =>
      [...membersOf(file, type)]
        .filter(([, comment]) => !/^ Replaced in tests/.test(comment))
        .map(([member]) => before + member)
        .filter((name) => !known.some((one) => one === name || one.startsWith(`${name}.`))),
    );
    expect(missing).toEqual([]);
  });

  it('names flags that there are, and no variable twice', () => {
    const flags = [...SETTINGS.values()].flatMap(({ flag: name }) => name ?? []);
    expect(flags.filter((name) => !Object.hasOwn(OPTIONS, name))).toEqual([]);
    const variables = [...SETTINGS.values()].filter(({ isProgramValue }) => !isProgramValue);
    expect(VARIABLES.size).toBe(variables.length + variables.flatMap(({ aliases = [] }) => aliases).length);
  });

  it('has defaults that are of their kind', () => {
    const wrong = [...SETTINGS.values()].filter(
      ({ kind, default: value }) => value !== undefined && kind.read(value) === undefined,
    );
    expect(wrong).toEqual([]);
  });

  it('makes a schema that knows groups, their members and nothing else', () => {
    const { properties, additionalProperties } = configSchema() as Wire;
    expect(additionalProperties).toBe(false);
    expect(properties.port).toMatchObject({ type: 'integer', minimum: 0, maximum: 65_535, default: 4000 });
    expect(properties.limits.properties.runTimeout.pattern).toContain('(ms|s|m|h|d)');
    expect(properties.push.anyOf.map(({ type }: Wire) => type)).toEqual(['boolean', 'object']);
    expect(properties.authorize).toBeUndefined();
    expect(properties.store).toMatchObject({ type: 'string' });
  });
});

describe('kinds', () => {
  it.each([
    [duration, '30s', 30_000],
    [duration, '1.5 m', 90_000],
    [duration, '250', 250],
    [duration, 250, 250],
    [duration, '-1s', undefined],
    [duration, '5 parsecs', undefined],
    [duration, '', undefined],
    [duration, Number.NaN, undefined],
    [duration, '9'.repeat(400), undefined],
    [bytes, '16MB', 16 * 1024 * 1024],
    [bytes, '64kb', 65_536],
    [flag, true, true],
    [flag, 'true', undefined],
  ])('case %#', (kind, value, expected) => {
    expect(kind.read(value)).toBe(expected);
  });
});

describe('a file', () => {
  it('is read as a whole, with all that is wrong with it', () => {
    const value = {
      prot: 1,
      port: 70_000,
      limits: { runTimeot: 1, closeGrace: 2 },
      runTimeout: 3,
      tls: true,
      nonsense: {},
    };
    expect(problemsOf(() => inFile(value))).toEqual([
      'file: there is no setting prot; did you mean port?',
      'file: port must be a whole number from 0 to 65535, not 70000',
      'file: there is no setting limits.runTimeot; did you mean limits.runTimeout?',
      'file: limits.closeGrace is drainTimeout now',
      'file: there is no setting runTimeout; did you mean limits.runTimeout?',
      'file: tls must be an object with cert, key, ca',
      expect.stringMatching(/^file: there is no setting nonsense; there are agents, default, port/),
    ]);
    for (const wrong of [null, [], 'x', 5]) {
      expect(problemsOf(() => inFile(wrong))).toEqual(['file must have an object of settings']);
    }
  });

  it('never repeats a secret', () => {
    const problems = problemsOf(() => inFile({ secretKey: 5551234, push: { secret: { x: 'whsec_5551234' } } }));
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('5551234');
  });

  it('has values of programs only where it is a program', () => {
    const authorize = () => true;
    expect(valuesOf(inFile({ authorize, auth: { authenticate() {} } }, true))).toMatchObject({ authorize });
    expect(problemsOf(() => inFile({ authorize: {} }))).toEqual([
      'file: authorize can only be set in a program such as parley.config.ts',
    ]);
    expect(problemsOf(() => inFile({ store: { kind: 'sqlite' } }, true))).toHaveLength(1);
    expect(problemsOf(() => inFile(JSON.parse('{"__proto__":{"port":1},"constructor":1}')))).toHaveLength(2);
  });
});

describe('the environment', () => {
  it('has a variable for each setting; an empty one is none, and the long name comes first', () => {
    const env = {
      PARLEY_LIMITS_RUN_TIMEOUT: '5m',
      PORT: '1',
      PARLEY_PORT: '2',
      HOST: '',
      PARLEY_DB: 'a.db',
      PARLEY_HOSTS: 'a, b',
    };
    expect(valuesOf(readEnvironment(env).given)).toEqual({
      limits: { runTimeout: 300_000 },
      port: 2,
      store: 'a.db',
      hosts: ['a', 'b'],
    });
  });

  it('refuses what is nearly right, and passes over the rest', () => {
    expect(problemsOf(() => readEnvironment({ PARLEY_PROT: '1', PARLEY_OPEN: 'maybe', PORT: 'x' }))).toEqual([
      'PORT must be a whole number from 0 to 65535, not "x"',
      'PARLEY_OPEN must be true or false, not "maybe"',
      'There is no variable PARLEY_PROT; did you mean PARLEY_PORT?',
    ]);
    const env = { PARLEY_TOKEN: 'x', PARLEY_MODEL: 'llama3.2', PARLEY_SOMETHING_ELSE: '1', OTHER: '1' };
    expect(readEnvironment(env)).toEqual({ given: [], unknown: ['PARLEY_SOMETHING_ELSE'] });
  });

  it('names what a setting is called now, which would be unset otherwise', () => {
    expect(problemsOf(() => readEnvironment({ PARLEY_CARDS: 'guarded', PARLEY_LIMITS_TASK_RETENTION: '1d' }))).toEqual([
      'PARLEY_CARDS is PARLEY_CARD_ACCESS now',
      'PARLEY_LIMITS_TASK_RETENTION is PARLEY_RETENTION_TASKS now',
    ]);
    expect(problemsOf(() => readAssignment('cards=guarded'))).toEqual(['--set: cards is card.access now']);
  });

  it('may have a Kubernetes service of that name', () => {
    const env = {
      PARLEY_PORT: 'tcp://10.0.0.1:80',
      PARLEY_PORT_80_TCP: 'tcp://10.0.0.1:80',
      PARLEY_PORT_80_TCP_ADDR: '10.0.0.1',
      PARLEY_SERVICE_HOST: '10.0.0.1',
      PARLEY_SERVICE_PORT_HTTP: '80',
      PORT: '8080',
    };
    expect(valuesOf(readEnvironment(env).given)).toEqual({ port: 8080 });
  });
});

describe('who wins', () => {
  it('flags, then the environment, then the file', () => {
    const file = inFile({ port: 1, host: 'file', limits: { runs: 1, depth: 5 } });
    const { given } = readEnvironment({ PARLEY_PORT: '2', PARLEY_LIMITS_RUNS: '2' });
    const flags = [readAssignment('port=3')];
    expect(valuesOf([...flags, ...file, ...given])).toEqual({ port: 3, host: 'file', limits: { runs: 2, depth: 5 } });
  });

  it('groups and their members take each other’s place', () => {
    const off = readEnvironment({ PARLEY_PUSH: 'false' }).given;
    const on = readEnvironment({ PARLEY_PUSH: 'true' }).given;
    const members = inFile({ push: { events: 'all' } });
    expect(valuesOf([...members, ...off])).toEqual({ push: false });
    expect(valuesOf([...members, ...on])).toEqual({ push: { events: 'all' } });
    expect(valuesOf([...inFile({ push: false }), readAssignment('push.events=all')])).toEqual({
      push: { events: 'all' },
    });
    const both = readEnvironment({ PARLEY_PUSH: 'false', PARLEY_PUSH_EVENTS: 'all' }).given;
    expect(valuesOf(both)).toEqual({ push: false });
    const own = inFile({ auth: { authenticate() {} } }, true);
    expect(valuesOf([...own, readAssignment('auth.keys=keys.json')])).toEqual({ auth: { keys: 'keys.json' } });
  });

  it('--set names what is wrong', () => {
    expect(problemsOf(() => readAssignment('limits.run=5'))).toEqual([
      '--set: there is no setting limits.run; did you mean limits.runs?',
    ]);
    expect(problemsOf(() => readAssignment('port'))).toEqual(['--set port needs a value: --set port=VALUE']);
    expect(problemsOf(() => readAssignment('port=x'))).toEqual([
      '--set port must be a whole number from 0 to 65535, not "x"',
    ]);
  });
});
