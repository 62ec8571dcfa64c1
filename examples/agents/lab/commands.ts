import type { JsonValue } from 'parley-a2a';
import { abbreviate, group, Malformed, split, wholeNumber, words } from './words.ts';

type TextCommandName = 'say' | 'ask' | 'auth' | 'reply' | 'fail' | 'reject';

/** One line of a script for the lab. */
export type Command =
  | { readonly name: TextCommandName; readonly text: string }
  | { readonly name: 'chunk'; readonly count: number; readonly size: number; readonly delay: number }
  | { readonly name: 'file'; readonly filename: string; readonly mediaType: string; readonly text: string }
  | { readonly name: 'data'; readonly value: JsonValue }
  | { readonly name: 'wait'; readonly milliseconds: number };

export type Script =
  | { readonly kind: 'commands'; readonly commands: readonly Command[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly source: string; readonly reason: string };

interface CommandSyntax {
  readonly parameters: string;
  readonly description: string;
  /** Throws a Malformed with the reason. */
  readonly parse: (argument: string) => Command;
}

const LARGEST_COUNT = 1_000_000;
const LARGEST_SIZE = 1_000_000;
/** One artifact has to fit into memory, whatever the count and the size are each on their own. */
const LARGEST_TOTAL = 400_000_000;
const LONGEST_WAIT = 600_000;
const DEFAULT_SIZE = '16';
const DEFAULT_DELAY = '0';

const SYNTAX: Readonly<Record<Command['name'], CommandSyntax>> = {
  say: withText('say', 'shows the text as the message of a working status'),
  chunk: {
    parameters: 'N [SIZE] [DELAY_MS]',
    description: `streams N numbered chunks of SIZE characters (${DEFAULT_SIZE}) to one artifact, DELAY_MS (${DEFAULT_DELAY}) apart`,
    parse: parseChunk,
  },
  file: { parameters: 'NAME TYPE TEXT', description: 'adds a file with the text as its content', parse: parseFile },
  data: {
    parameters: 'JSON',
    description: 'adds the value as a data artifact',
    parse: (argument) => ({ name: 'data', value: parseJson(argument) }),
  },
  wait: {
    parameters: 'MS',
    description: 'does nothing for so many milliseconds',
    parse: (argument) => {
      const [milliseconds = ''] = words(argument, 1);
      return { name: 'wait', milliseconds: wholeNumber('MS', milliseconds, 0, LONGEST_WAIT) };
    },
  },
  ask: withText('ask', 'asks for input and adds an artifact "answered: …"'),
  auth: withText('auth', 'asks for an authorization and adds an artifact "authorized: …"'),
  reply: withText('reply', 'ends with a message; without a task if nothing came before'),
  fail: withText('fail', 'ends with a failed task; the text goes to the log only'),
  reject: withText('reject', 'ends with a rejected task and the text as the reason'),
};

/** All commands with what they take and do. */
export const USAGE: string = [
  'One command per line; blank lines and lines that start with # are ignored.',
  '',
  ...Object.entries(SYNTAX).map(
    ([name, { parameters, description }]) => `  ${`${name} ${parameters}`.padEnd(26)}${description}`,
  ),
].join('\n');

/** Reads the whole script; the first line that is not right spoils all of it. */
export function parseScript(source: string): Script {
  const commands: Command[] = [];
  for (const [index, untrimmed] of source.split(/\r\n|\r|\n/).entries()) {
    const line = untrimmed.trim();
    if (line === '' || line.startsWith('#')) continue;
    try {
      commands.push(parseLine(line));
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return { kind: 'malformed', line: index + 1, source: line, reason: error.message };
    }
  }
  return { kind: 'commands', commands };
}

function parseLine(line: string): Command {
  const [keyword, argument] = split(line);
  const name = keyword.toLowerCase();
  if (!isCommandName(name)) throw new Malformed(`There is no command ${abbreviate(keyword)}.`);
  const { parameters, parse } = SYNTAX[name];
  if (argument === '') throw new Malformed(`It needs ${parameters}.`);
  return parse(argument);
}

function parseChunk(argument: string): Command {
  const [first = '', second = DEFAULT_SIZE, third = DEFAULT_DELAY] = words(argument, 3);
  const count = wholeNumber('N', first, 1, LARGEST_COUNT);
  const size = wholeNumber('SIZE', second, 1, LARGEST_SIZE);
  const delay = wholeNumber('DELAY_MS', third, 0, LONGEST_WAIT);
  if (count * size > LARGEST_TOTAL) {
    throw new Malformed(`N times SIZE must be at most ${group(LARGEST_TOTAL)} characters.`);
  }
  return { name: 'chunk', count, size, delay };
}

function parseFile(argument: string): Command {
  const [filename, rest] = split(argument);
  const [mediaType, text] = split(rest);
  if (text === '') throw new Malformed('It needs NAME TYPE TEXT.');
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType)) {
    throw new Malformed(`TYPE must be a media type such as text/plain, not ${abbreviate(mediaType)}.`);
  }
  return { name: 'file', filename, mediaType, text };
}

function parseJson(argument: string): JsonValue {
  try {
    return JSON.parse(argument);
  } catch {
    throw new Malformed('JSON must be one valid JSON value on one line.');
  }
}

function withText(name: TextCommandName, description: string): CommandSyntax {
  const parameters = name === 'ask' || name === 'auth' ? 'PROMPT' : 'TEXT';
  return { parameters, description, parse: (text) => ({ name, text }) };
}

function isCommandName(name: string): name is Command['name'] {
  return Object.hasOwn(SYNTAX, name);
}
