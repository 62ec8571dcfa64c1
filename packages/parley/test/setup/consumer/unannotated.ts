// A library of somebody who installed the package and annotates nothing. `pack.test.ts` lets the compiler write its
// declarations: every type that is inferred here must have a name that a user can import.
import {
  A2AClient,
  type A2AError,
  A2AServer,
  type AgentCard,
  agentResult,
  authRequired,
  bytes,
  bytesOf,
  callerTool,
  chunk,
  collect,
  complete,
  dataOf,
  defineAgent,
  fail,
  type InputQuestion,
  inputRequired,
  json,
  link,
  memory,
  reject,
  reply,
  type StandardSchema,
  serve,
  type Task,
  type TaskContext,
  taskTree,
  text,
  toObservable,
} from 'parley-a2a';

const question: StandardSchema<{ readonly query: string }> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as { readonly query: string } }) },
};
const count: StandardSchema<{ readonly hits: number }> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as { readonly hits: number } }) },
};

export const searcher = defineAgent({
  name: 'searcher',
  description: 'Searches',
  version: '1.0.0',
  skills: [
    { id: 'search', name: 'Search', description: 'Searches', tags: [], input: question, output: count },
    { id: 'chat', name: 'Chat', description: 'Chats', tags: [] },
  ],
  run: (task) => `You asked for ${task.text}`,
});
export const plain = defineAgent({ name: 'plain', description: 'Echoes', version: '1.0.0', run: (task) => task.text });

export const server = new A2AServer({ agents: { searcher, plain }, store: memory() });
export const serving = () => serve(plain, { port: 0 });
export const store = memory();
export const served = {
  cards: server.getAgentCards(),
  load: () => server.load,
  rpc: (body: unknown) => server.handleJsonRpc(body),
  stream: (body: unknown) => server.handleJsonRpcStream(body),
  cancel: (id: string) => server.cancelTask(id),
  purge: () => server.purgeTasks({ endedBefore: 0 }),
  use: () => server.use({ onEvent: (_event, info) => console.log(info.seq) }),
};

export const client = new A2AClient('http://127.0.0.1:4000', { agent: searcher });
export const untyped = new A2AClient('http://127.0.0.1:4000');
export const connecting = () => A2AClient.connect('http://127.0.0.1:4000');
export const search = client.skill('search');
export const called = {
  hits: () => search.call({ query: 'tea' }),
  hitStream: () => search.stream({ query: 'tea' }),
  other: untyped.skill('anything'),
  as: untyped.as<typeof searcher>(),
  at: untyped.at('http://127.0.0.1:4001'),
  card: () => client.agentCard(),
  interface: () => client.interface,
  run: () => client.run('hello'),
  send: () => client.sendMessage('hello'),
  stream: () => client.sendMessageStream('hello'),
  task: (id: string) => client.getTask(id),
  tasks: () => client.listTasks(),
  page: async () => ({ ...(await client.listTasks()) }),
  cancel: (id: string) => client.cancelTask(id),
  subscribe: (id: string) => client.subscribe(id),
  push: (id: string) => client.createPushConfig(id, { url: 'https://example.com' }),
  pushes: (id: string) => client.listPushConfigs(id),
  tool: client.asTool(),
  tools: () => client.skillTools(),
  tree: (id: string) => taskTree(client, id),
  observable: () => toObservable(() => client.sendMessageStream('hello')),
  subscription: () => toObservable(() => client.sendMessageStream('hello')).subscribe(),
  growing: () => collect(client.sendMessageStream('hello')),
};
export async function* events() {
  yield* client.sendMessageStream('hello');
}

export const tool = callerTool({ description: 'Searches', parameters: question, execute: ({ query }) => query });
export const outcomes = {
  authRequired: authRequired('Sign in'),
  chunk: chunk('one'),
  complete: complete(),
  fail: fail('No'),
  inputRequired: inputRequired('Which?'),
  reject: () => reject('Not me'),
  reply: reply('Hello'),
  result: agentResult({ text: 'Done' }),
};
export const parts = {
  bytes: bytes('one'),
  content: bytesOf(bytes('one')),
  json: json({ one: 1 }),
  link: link('https://example.com'),
  text: text('one'),
};

export const inRun = {
  artifact: (task: TaskContext) => task.artifact(),
  ask: (task: TaskContext) => task.ask({ prompt: 'Which?', schema: question }),
  call: (task: TaskContext) => task.call(searcher, { skill: 'search', input: { query: 'tea' } }),
  callResult: async (task: TaskContext) => dataOf(await task.call(searcher, { skill: 'search', input: { query: '' } })),
  callText: (task: TaskContext) => task.call('http://127.0.0.1:4000', 'hello'),
  chain: (task: TaskContext) => task.chain,
  conversation: (task: TaskContext) => task.context,
  messages: (task: TaskContext) => task.messages(),
  priority: (task: TaskContext) => task.priority,
  step: (task: TaskContext) => task.step('one', (info) => ({ ...info })),
  tools: (task: TaskContext) => task.tools,
  caller: (task: TaskContext) => task.user,
};

export const members = {
  artifacts: (task: Task) => task.artifacts,
  capabilities: (card: AgentCard) => card.capabilities,
  choices: (asked: InputQuestion) => asked.choices,
  extensions: (card: AgentCard) => card.capabilities.extensions,
  limits: (card: AgentCard) => card.rateLimit,
  provider: (card: AgentCard) => card.provider,
  scheme: (card: AgentCard) => Object.values(card.securitySchemes ?? {})[0],
  skills: (card: AgentCard) => card.skills,
  status: (task: Task) => task.status,
  violations: (error: A2AError) => error.violations,
};
