import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconnectSettings, retrySettings } from '../../src/client/options.ts';
import type { FailureReason } from '../../src/engine/task/failure-reasons.ts';
import { resolveLimits } from '../../src/server/limits/limits.ts';
import { ROOT } from './support/repository.ts';
import { membersOf, tableOf } from './support/tables.ts';

/** Every table of settings, and the types whose members it lists. */
const TABLES = [
  ['docs/hosting.md', '| setting ', [['server/options.ts', 'A2AServerOptions']]],
  [
    'docs/hosting.md',
    '| limit ',
    [
      ['server/limits/limits.ts', 'ServerLimits'],
      ['engine/limits.ts', 'EngineLimits'],
      ['model/input-limits.ts', 'InputLimits'],
    ],
  ],
  [
    'docs/limits.md',
    '| limit of callers ',
    [
      ['model/traffic-limits.ts', 'TrafficLimits'],
      ['server/limits/traffic-settings.ts', 'CallerSettings'],
    ],
  ],
  [
    'docs/client.md',
    '| option ',
    [
      ['client/options.ts', 'CallOptions'],
      ['client/options.ts', 'SendOptions'],
      ['client/message/content.ts', 'SendSettings'],
      ['client/message/content.ts', 'SendConfiguration'],
      ['client/input/inputs.ts', 'InputHandlers'],
    ],
  ],
  ['docs/operations/storage.md', '| `retention` ', [['server/limits/retention.ts', 'RetentionOptions']]],
  ['docs/operations/push.md', '| `push` ', [['server/push/settings.ts', 'PushSettings']]],
  ['docs/operations/push.md', '| `push.retry` ', [['server/push/settings.ts', 'PushRetry']]],
  ['docs/operations/push.md', '| `push.concurrency` ', [['server/push/settings.ts', 'PushConcurrency']]],
  ['docs/client.md', '| `reconnect` ', [['client/options.ts', 'ReconnectOptions']]],
  ['docs/client.md', '| `limits` ', [['client/options.ts', 'ClientLimits']]],
  ['docs/guides/conversations.md', '| option ', [['agent/conversation.ts', 'EarlierMessagesOptions']]],
  [
    'docs/guides/questions.md',
    '| option ',
    [
      ['agent/questions/questions.ts', 'QuestionOptions'],
      ['agent/questions/questions.ts', 'SchemaQuestion'],
    ],
  ],
  ['docs/guides/llm.md', '| `limits` of `llmAgent` ', [['llm/limits.ts', 'LlmLimits']]],
  ['docs/guides/testing.md', '| fault ', [['testing/faulty.ts', 'Faults']]],
] as const;

type Types = readonly (readonly [file: string, name: string])[];

/** The members that users set, with their comments. */
function settingsOf(types: Types): ReadonlyMap<string, string> {
  const members = types.flatMap(([file, name]) => [...membersOf(file, name)]);
  return new Map(members.filter(([, comment]) => !/^ Replaced in tests|^ For tests/.test(comment)));
}

describe.each(TABLES)('the table in %s: %s', (document, heading, types) => {
  it('has every setting, and no other', () => {
    const settings = [...settingsOf(types).keys()];
    const listed = tableOf(document, heading).flatMap(({ names }) => names);
    expect(listed.toSorted()).toEqual([...new Set(settings)].toSorted());
  });
});

it('the page on the client names every option of a client', () => {
  const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
  const options = [...settingsOf([['client/options.ts', 'ClientOptions']]).keys()];
  expect(options.length).toBeGreaterThan(15);
  expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

/** The type keeps this list whole. */
const REASONS: Readonly<Record<FailureReason, true>> = {
  'agent-error': true,
  'invalid-agent-response': true,
  'run-timeout': true,
  'inactivity-timeout': true,
  'run-lost': true,
  'server-restarted': true,
  'server-stopped': true,
  'journal-mismatch': true,
  'input-timeout': true,
  'invalid-answer': true,
  'tool-failed': true,
  'too-many-questions': true,
  'store-failed': true,
};

it('the page on hosting names every reason for which a server ends a task', () => {
  const page = readFileSync(join(ROOT, 'docs/hosting.md'), 'utf8');
  const [sentence = ''] = /^If the server itself ended a task[\s\S]*?\n\n/m.exec(page) ?? [];
  const named = sentence.match(/(?<=`)[a-z]+(?:-[a-z]+)+(?=`)/g) ?? [];
  expect(named.toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

describe('the defaults', () => {
  it('of the settings are those of their comments', () => {
    const settings = settingsOf([['server/options.ts', 'A2AServerOptions']]);
    const rows = tableOf('docs/hosting.md', '| setting ');
    let compared = 0;
    for (const { names, cells } of rows) {
      const [, stated] = /Default:? (`[^`]+`|true|false|\d+)/.exec(settings.get(names[0] ?? '') ?? '') ?? [];
      if (stated === undefined || names[0] === 'anonymous') continue;
      compared += 1;
      expect(`${names[0]}: ${cells[1]?.replaceAll('`', '')}`).toBe(`${names[0]}: ${stated.replaceAll('`', '')}`);
    }
    expect(compared).toBeGreaterThanOrEqual(8);
  });

  it('of the limits are those in force', () => {
    const limits: Readonly<Record<string, number>> = { ...resolveLimits() };
    const stated = tableOf('docs/hosting.md', '| limit ').flatMap(({ names, cells }) => {
      const values = cells[1]?.split(', ') ?? [];
      return names.map((name, index) => [name, numberOf(values[index] ?? '')] as const);
    });
    const inForce = Object.entries(limits).map(([name, value]) => [name, Number.isFinite(value) ? value : 0]);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(inForce));
  });

  it('of the limits are the same wherever they are named', () => {
    const limits: Readonly<Record<string, number>> = { ...resolveLimits() };
    // The page that is made of the table of settings has a test of its own.
    const pages = globSync('docs/**/*.md', { cwd: ROOT }).filter((page) => page !== 'docs/configuration.md');
    const named = pages.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return [...text.matchAll(/`limits\.(\w+)`([^`|;.]*?\((\d[\d,]*)\))?/g)].map(([, name = '', , value]) => ({
        name,
        value,
        page,
      }));
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !(name in limits))).toEqual([]);
    const wrong = named.filter(({ name, value }) => value !== undefined && numberOf(value) !== limits[name]);
    expect(wrong).toEqual([]);
  });

  it('0 means none for the limits of which the page says so', () => {
    const names = Object.keys(resolveLimits()) as (keyof ReturnType<typeof resolveLimits>)[];
    const endless = names.filter((name) => resolveLimits({ [name]: 0 })[name] === Number.POSITIVE_INFINITY);
    const page = readFileSync(join(ROOT, 'docs/hosting.md'), 'utf8');
    const [sentence = ''] = /^Times are in milliseconds\.[\s\S]*?\n\n/m.exec(page) ?? [];
    expect((sentence.match(/(?<=`)\w+/g) ?? []).toSorted()).toEqual(endless.toSorted());
  });

  it('of reconnecting and of retries are those in force', () => {
    const rows = tableOf('docs/client.md', '| `reconnect` ');
    const stated = rows.map(({ names, cells }) => [names, cells[1]?.match(/\d[\d,]*\d|\d/g)?.map(numberOf)] as const);
    const { attempts, firstDelay, longestDelay, idleTimeout } = reconnectSettings(undefined, true);
    expect(stated).toEqual([
      [['attempts'], [attempts]],
      [
        ['firstDelay', 'longestDelay'],
        [firstDelay, longestDelay],
      ],
      [['idleTimeout'], [idleTimeout, reconnectSettings(undefined, false).idleTimeout]],
    ]);
    const retries = retrySettings(undefined);
    const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
    expect(page).toContain(
      `\`retry: { attempts: ${retries.attempts}, firstDelay: ${retries.firstDelay}, longestDelay: ${retries.longestDelay / 1000}_000 }\``,
    );
  });
});

const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 * 1024 };

/** `300,000`, `64 KB`, `0 (none)`. */
function numberOf(text: string): number {
  const [, digits = '', unit = ''] = /^([\d,]+)(?: ([KM]B))?/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}
