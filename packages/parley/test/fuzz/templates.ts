import { A2AClient, type A2AServer, bytes, isTask, json, link, text } from 'parley-a2a';
import { SPEAKERS, type Speaker } from '../support/speakers.ts';
import { ASK } from './subject.ts';

/** Stands for the id of a task that waits for its caller. */
const TASK_ID = 'the-task';

/** A right request, to be changed. */
export interface Template {
  /** The dialect, the binding and the operation. */
  readonly name: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined where there is none. */
  readonly body: unknown;
}

const CONTENT = [
  text('hello'),
  bytes(new Uint8Array([1, 2, 3]), { mediaType: 'image/png', filename: 'a.png' }),
  link('https://files.example.com/a.pdf', { mediaType: 'application/pdf' }),
  json({ rows: [1, null, { deep: [true] }] }),
];

const OPERATIONS: Readonly<Record<string, (client: A2AClient, taskId: string) => Promise<unknown>>> = {
  send: (client) => client.sendMessage({ parts: CONTENT, metadata: { a: [1] } }, { contextId: 'talk' }),
  stream: async (client) => client.sendMessageStream('hello').task,
  answer: (client, taskId) => client.sendMessage(ASK, { taskId }),
  get: (client, taskId) => client.getTask(taskId, { historyLength: 3 }),
  list: async (client) => client.listTasks({ contextId: 'talk', pageSize: 5 }),
  subscribe: async (client, taskId) => {
    for await (const _ of client.subscribe(taskId)) break;
  },
  createPushConfig: (client, taskId) =>
    client.createPushConfig(taskId, { id: 'p', url: 'https://hooks.example.com/a', token: 't' }),
  listPushConfigs: (client, taskId) => client.listPushConfigs(taskId),
  getPushConfig: (client, taskId) => client.getPushConfig(taskId, 'p'),
  deletePushConfig: (client, taskId) => client.deletePushConfig(taskId, 'p'),
  extendedCard: (client) => client.extendedCard(),
  cancel: (client, taskId) => client.cancelTask(taskId),
};

/** Records what our own client sends in every dialect and binding, cards included. */
export async function recordTemplates(server: A2AServer): Promise<readonly Template[]> {
  const templates: Template[] = [];
  for (const speaker of SPEAKERS) templates.push(...(await recordSpeaker(server, speaker)));
  return templates;
}

async function recordSpeaker(server: A2AServer, { name, path, options }: Speaker): Promise<readonly Template[]> {
  const recorded = new Map<string, Template>();
  let operation = 'card';
  const client = new A2AClient(`http://localhost${path}`, {
    ...options,
    retry: { attempts: 1 },
    reconnect: { attempts: 1 },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const template = await templateOf(`${name} ${operation}`, request.clone());
      if (!recorded.has(template.name)) recorded.set(template.name, template);
      return server.fetch(request);
    },
  });
  await client.agentCard().catch(() => undefined);
  operation = 'ask';
  const asking = await client.sendMessage(ASK);
  if (!isTask(asking)) throw new Error(`${name} has no task to ask about`);
  for (const [called, call] of Object.entries(OPERATIONS)) {
    operation = called;
    // A dialect that lacks the operation sends nothing, or is told so: the request is as good a template.
    await call(client, asking.id).catch(() => undefined);
  }
  return [...recorded.values()].map((template) => ({
    ...template,
    target: template.target.replaceAll(asking.id, TASK_ID),
    body: replaced(template.body, asking.id, TASK_ID),
  }));
}

/** The same request about this task. */
export function aboutTask({ target, body, ...template }: Template, taskId: string): Template {
  return { ...template, target: target.replaceAll(TASK_ID, taskId), body: replaced(body, TASK_ID, taskId) };
}

function replaced(value: unknown, old: string, text: string): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(old, text));
}

async function templateOf(name: string, request: Request): Promise<Template> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return {
    name,
    method: request.method,
    target: pathname + search,
    // With the same key every changed send would be refused for that alone.
    headers: Object.fromEntries([...request.headers].filter(([header]) => header !== 'idempotency-key')),
    body: body === '' ? undefined : JSON.parse(body),
  };
}
