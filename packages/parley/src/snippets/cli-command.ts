import { lastWord, optionWords } from '../cli/text/shell.ts';
import type { Message, Part } from '../model/task.ts';
import { ownHeaders } from './client-code.ts';
import { inputOf, type Snippet, type SnippetSource } from './recorded-call.ts';
import { disguisedHeader, disguisedUrl, maskedText, type SecretsShown } from './secrets.ts';
import { commandLines, LARGEST_WORD, pipedInto, shellWord } from './shell-word.ts';

const BINDING_NAMES: Readonly<Record<string, string>> = { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'rest' };

/** The call as a command of `parley`; undefined for operations that it has no command for. */
export function cliCommand(source: SnippetSource, secrets: SecretsShown = {}): Snippet | undefined {
  const { call } = source;
  switch (call.operation) {
    case 'sendMessage':
    case 'sendStreamingMessage':
      return sendCommand(source, secrets);
    case 'getTask':
    case 'cancelTask': {
      const { id } = inputOf(call, 'getTask');
      return plain(source, secrets, call.operation === 'getTask' ? 'get' : 'cancel', [], lastWord(id));
    }
    case 'subscribeToTask': {
      const from = source.request.headers.find(([name]) => name === 'last-event-id')?.[1];
      const options = from !== undefined && /^\d+$/.test(from) ? [['--from', from]] : [];
      return plain(source, secrets, 'watch', options, lastWord(inputOf(call, 'subscribeToTask').id));
    }
    case 'listTasks': {
      const { state, contextId, pageSize, pageToken, statusSince } = inputOf(call, 'listTasks');
      const options = [
        ...(state === undefined ? [] : [['--state', state]]),
        ...(contextId === undefined ? [] : [optionWords('--context', contextId)]),
        ['--limit', String(pageSize)],
      ];
      const isPartial = pageToken !== undefined || statusSince !== undefined;
      const notes = isPartial ? ['The command begins with the first page, whatever the time.'] : [];
      return plain(source, secrets, 'tasks', options, [], notes);
    }
    case 'createPushConfig':
    case 'getPushConfig':
    case 'listPushConfigs':
    case 'deletePushConfig':
    case 'getExtendedCard':
      return undefined;
  }
}

function plain(
  source: SnippetSource,
  secrets: SecretsShown,
  name: string,
  options: readonly (readonly string[])[],
  last: readonly string[],
  notes: readonly string[] = [],
): Snippet {
  const lines = [
    startOf(source, secrets, name),
    ...written(options),
    ...callOptions(source, secrets),
    ...written([last]),
  ];
  return { text: maskedText(commandLines(lines.filter(({ length }) => length > 0)), secrets), notes };
}

function sendCommand(source: SnippetSource, secrets: SecretsShown): Snippet {
  const { operation } = source.call;
  const { message, returnImmediately, metadata, pushConfig } = inputOf(source.call, 'sendMessage');
  const { contextId, taskId } = message;
  const files = filesOf(message.parts);
  const skill = message.metadata?.skillId;
  const options = [
    ...(contextId === undefined ? [] : [optionWords('--context', contextId)]),
    ...(taskId === undefined ? [] : [optionWords('--task', taskId)]),
    ...(typeof skill === 'string' ? [optionWords('--skill', skill)] : []),
    ...smallData(message).map((data) => optionWords('--data', data)),
    ...(operation === 'sendStreamingMessage' ? [] : [[returnImmediately ? '--no-wait' : '--no-stream']]),
  ];
  const name = operation === 'sendStreamingMessage' ? 'stream' : 'send';
  const text = textsOf(message).join('\n\n');
  // A hyphen alone stands for the standard input, and so does no text at all where nothing else is sent.
  const isPiped = text === '-' || text.length > LARGEST_WORD;
  const lines = [
    startOf(source, secrets, name),
    ...written(options),
    ...files.map(({ option, name: file }) => [`${option}"$files"/${shellWord({ before: file })}`]),
    ...callOptions(source, secrets),
    ...written(isPiped || text === '' ? [] : [lastWord(text)]),
    ...(isPiped ? [['-']] : []),
  ];
  const command = isPiped ? pipedInto(text, commandLines(lines)) : commandLines(lines);
  const notes = notesOf(message, metadata !== undefined || pushConfig !== undefined);
  return { text: maskedText([...fileLines(files), command].join('\n'), secrets), notes };
}

function startOf({ target }: SnippetSource, secrets: SecretsShown, name: string): readonly string[] {
  return ['parley', name, shellWord(...disguisedUrl(target.url, secrets))];
}

function callOptions({ target, request }: SnippetSource, secrets: SecretsShown): readonly (readonly string[])[] {
  const binding = target.binding === undefined ? undefined : BINDING_NAMES[target.binding];
  return [
    ...(target.protocol === undefined ? [] : written([['--protocol', target.protocol]])),
    ...(binding === undefined ? [] : [['--binding', binding]]),
    ...headerOptions(ownHeaders(request.headers), secrets),
  ];
}

export function headerOptions(
  headers: readonly (readonly [name: string, value: string])[],
  secrets: SecretsShown,
): readonly (readonly string[])[] {
  return headers.map(([name, value]) => {
    const { before, ...rest } = disguisedHeader(name, value, secrets);
    return ['--header', shellWord({ before: `${name}: ${before}`, ...rest })];
  });
}

function written(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lines.filter(({ length }) => length > 0).map((words) => words.map((word) => shellWord({ before: word })));
}

function textsOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'text' && part.filename === undefined ? [part.text] : []));
}

function smallData({ parts }: Message): readonly string[] {
  const data = parts.flatMap((part) => (part.kind === 'data' ? [JSON.stringify(part.data)] : []));
  return data.filter(({ length }) => length <= LARGEST_WORD);
}

/** Content that is written to a file first, because it is one, or is too large for a command line. */
interface SentFile {
  readonly option: '--file ' | '--data @';
  readonly name: string;
  /** The command that writes it to its standard output. */
  readonly command: string;
}

/** Files get names that are safe in any folder; two alike are told apart. */
function filesOf(parts: readonly Part[]): readonly SentFile[] {
  return parts.flatMap((part, index): readonly SentFile[] => {
    if (part.kind === 'bytes') {
      const name = safeName(part.filename ?? 'file', index);
      return [{ option: '--file ', name, command: pipedInto(part.bytes, 'base64 -d') }];
    }
    const data = part.kind === 'data' ? JSON.stringify(part.data) : '';
    if (data.length <= LARGEST_WORD) return [];
    return [{ option: '--data @', name: `${index + 1}-data.json`, command: pipedInto(data, 'cat') }];
  });
}

function safeName(filename: string, index: number): string {
  const plain = filename.replace(/[^\w.-]+/g, '-').replace(/^[-.]+/, '');
  return index === 0 && plain !== '' ? plain : `${index + 1}-${plain}`;
}

function fileLines(files: readonly SentFile[]): readonly string[] {
  if (files.length === 0) return [];
  return [
    'files=$(mktemp -d)',
    ...files.map(({ name, command }) => `${command} > "$files"/${shellWord({ before: name })}`),
  ];
}

function notesOf(message: Message, hasRequestSettings: boolean): readonly string[] {
  const { parts, metadata = {}, referenceTaskIds, extensions } = message;
  const others = Object.keys(metadata).filter((name) => name !== 'skillId');
  const isLeftOut = others.length > 0 || hasRequestSettings || referenceTaskIds || extensions;
  return [
    ...(textsOf(message).length > 1 ? ['The texts of the message are sent as one.'] : []),
    ...(parts.some(({ kind }) => kind === 'link') ? ['The command line sends no links; those are left out.'] : []),
    ...(parts.some((part) => part.kind === 'text' && part.filename !== undefined)
      ? ['Texts with a file name are left out.']
      : []),
    ...(isLeftOut ? ['Metadata, references, extensions and webhooks of the message are left out.'] : []),
  ];
}
