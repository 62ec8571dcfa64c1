import { A2AError, isTask, type Message, type StreamEvent, type Task, textOf } from 'parley-a2a';
import { type CallingDialect, type Dialect, type DialectDefinition, v1_0 } from 'parley-a2a/dialects';

// A dialect of a user's own, made of public names alone: telegrams have a number, words and a mark at the end of the talk.

type Send = ReturnType<Dialect['decode']['sendMessage']>;

interface Telegram {
  readonly no: string;
  readonly talk: string;
  readonly words: string;
  readonly mark: 'MORE' | 'STOP' | 'FAIL';
}

const MARKS: Readonly<Record<string, Telegram['mark']>> = { completed: 'STOP', failed: 'FAIL' };
const METHODS = new Map([
  ['telegram.send', 'sendMessage'],
  ['telegram.follow', 'sendStreamingMessage'],
  ['telegram.read', 'getTask'],
  ['telegram.rejoin', 'subscribeToTask'],
] as const);

function readFields(params: unknown): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
}

function readText(params: unknown, name: string): string {
  const value = readFields(params)[name];
  if (typeof value === 'string') return value;
  throw new A2AError('INVALID_PARAMS', `A telegram needs ${name}`);
}

function readSend(params: unknown): Send {
  const text = readText(params, 'words').replaceAll(' STOP ', '. ');
  return {
    tenant: '',
    message: { messageId: `telegram-${readText(params, 'no')}`, role: 'user', parts: [{ kind: 'text', text }] },
    acceptedOutputModes: [],
    returnImmediately: false,
    asTask: true,
  };
}

function readId(params: unknown): { readonly tenant: ''; readonly id: string } {
  return { tenant: '', id: readText(params, 'no') };
}

function writeTask(task: Task): Telegram {
  const words = task.artifacts.map((artifact) => textOf(artifact)).join(' ');
  return { no: task.id, talk: task.contextId, words, mark: MARKS[task.status.state] ?? 'MORE' };
}

function writeResult(result: Task | Message): Telegram {
  return isTask(result) ? writeTask(result) : { no: '', talk: '', words: textOf(result), mark: 'STOP' };
}

function writeEvent(event: StreamEvent): Telegram {
  switch (event.kind) {
    case 'task':
      return { ...writeTask(event.task), words: '' };
    case 'message':
      return writeResult(event.message);
    case 'status':
      return { no: event.taskId, talk: event.contextId, words: '', mark: MARKS[event.status.state] ?? 'MORE' };
    case 'artifact':
      return { no: event.taskId, talk: event.contextId, words: textOf(event.artifact), mark: 'MORE' };
  }
}

const serving: Dialect = {
  ...v1_0.serving,
  name: 'telegram',
  methods: METHODS,
  decode: {
    ...v1_0.serving.decode,
    sendMessage: readSend,
    sendStreamingMessage: readSend,
    getTask: readId,
    subscribeToTask: readId,
  },
  encode: { ...v1_0.serving.encode, sendMessage: writeResult, getTask: writeTask },
  encodeEvent: writeEvent,
  encodeCard: ({ name, description, interfaces }) => ({ name, description, url: interfaces[0]?.url, telegraph: true }),
  jsonRpcOnly: true,
  signs: {
    sign: 'telegram methods',
    isRequest: ({ method }) => method.startsWith('telegram.'),
    isClient: (header) => header('x-telegram') !== undefined,
  },
  addresses: { mounts: () => ['/telegraph'], card: { path: '/.well-known/telegraph.json' } },
  quirks: { rpcError: ({ code, message }) => ({ code: code === 'TASK_NOT_FOUND' ? 404 : 400, message }) },
};

function readTelegram(received: unknown): Telegram {
  return { ...(readFields(received) as unknown as Telegram) };
}

function readTask(received: unknown): Task {
  const { no, talk, words, mark } = readTelegram(received);
  return {
    id: no,
    contextId: talk,
    status: { state: mark === 'STOP' ? 'completed' : mark === 'FAIL' ? 'failed' : 'working', timestamp: '' },
    artifacts: words === '' ? [] : [{ artifactId: 'words', parts: [{ kind: 'text', text: words }] }],
    history: [],
  };
}

const writeSend = ({ message }: Send) => ({ no: message.messageId, words: textOf(message).replaceAll('. ', ' STOP ') });
const writeId = ({ id }: { readonly id: string }) => ({ no: id });

/** The first telegram of a stream shows the task; later ones bring more words or its end. */
function streamDecoder(): (received: unknown) => readonly StreamEvent[] {
  let isFirst = true;
  return (received) => {
    const { no, talk, words, mark } = readTelegram(received);
    const { status } = readTask(received);
    if (isFirst) {
      isFirst = false;
      return [{ kind: 'task', task: readTask(received) }];
    }
    if (mark !== 'MORE') return [{ kind: 'status', taskId: no, contextId: talk, status }];
    const artifact = { artifactId: 'words', parts: [{ kind: 'text' as const, text: words }] };
    return words === ''
      ? []
      : [{ kind: 'artifact', taskId: no, contextId: talk, artifact, append: true, lastChunk: false }];
  };
}

const calling: CallingDialect = {
  ...v1_0.calling,
  name: 'telegram',
  isCard: (card) => card.telegraph === true,
  headers: { 'x-telegram': '1' },
  methodOf: {
    ...v1_0.calling.methodOf,
    ...Object.fromEntries([...METHODS].map(([method, operation]) => [operation, method])),
  },
  encodeRequest: {
    ...v1_0.calling.encodeRequest,
    sendMessage: writeSend,
    sendStreamingMessage: writeSend,
    getTask: writeId,
    subscribeToTask: writeId,
  },
  decodeResult: { ...v1_0.calling.decodeResult, sendMessage: readTask, getTask: readTask },
  streamDecoder,
  isFinal: (event) => readTelegram(event).mark !== 'MORE',
  decodeError: (error) => {
    const { code, message } = readFields(error);
    return new A2AError(code === 404 ? 'TASK_NOT_FOUND' : 'INVALID_PARAMS', String(message));
  },
};

export const telegram: DialectDefinition = { name: 'telegram', serving, calling };
