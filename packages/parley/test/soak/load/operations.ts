import { type A2AClient, isA2AError, isTask, type Task, textOf } from 'parley-a2a';
import type { Random } from '../../crash/load/random.ts';
import type { Ledger } from '../ledger.ts';
import { type Script, textOfChunks, type Verb, writeScript } from '../script.ts';
import type { Webhooks } from './webhooks.ts';

/** One client of ours, in one dialect, for one caller. */
export interface Speaking {
  readonly client: A2AClient;
  readonly form: string;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly webhooks: Webhooks;
}

/** What a client does, and how often compared with the others. */
export interface Operation {
  readonly name: string;
  readonly weight: number;
  /** Forms that cannot say it, or the only ones that can. */
  readonly except?: readonly string[];
  readonly only?: readonly string[];
  readonly perform: (speaking: Speaking) => Promise<void>;
}

function compose({ random, ledger }: Speaking, verb: Verb): Script {
  const chunks = random.chance(0.1) ? random.between(80, 300) : random.between(1, 30);
  return ledger.compose(verb, chunks, random.between(3, 40));
}

const textOfTask = ({ artifacts }: Task) => artifacts.map((artifact) => textOf(artifact)).join('');

/** Holds a task that a client was given against what its message asks for. */
function expectTask({ ledger, form }: Speaking, { number, chunks }: Script, task: Task, state: string, more = 0): void {
  ledger.tellTask(number, task.id);
  const text = textOfChunks(number, chunks + more);
  if (task.status.state !== state) ledger.find(`${form} ${number} is ${task.status.state}, not ${state}: ${task.id}`);
  else if (textOfTask(task) !== text) ledger.find(`${form} ${number} has the text ${textOfTask(task)}: ${task.id}`);
}

/** Reads a stream to the end of the turn: the text as it came, and the task. */
async function readStream(speaking: Speaking, script: Script): Promise<Task> {
  const { client, ledger, form } = speaking;
  const stream = client.sendMessageStream(writeScript(script));
  ledger.streams += 1;
  let text = '';
  for await (const event of stream) {
    ledger.events += 1;
    text += event.text;
  }
  const task = await stream.task;
  const expected = textOfChunks(script.number, script.chunks);
  if (text !== expected) ledger.find(`${form} ${script.number} streamed ${text}: ${task.id}`);
  return task;
}

async function stream(speaking: Speaking): Promise<void> {
  const script = compose(speaking, 'count');
  expectTask(speaking, script, await readStream(speaking, script), 'completed');
}

async function send(speaking: Speaking): Promise<void> {
  const script = compose(speaking, 'count');
  await sendAndWait(speaking, script);
}

/** A server that stops answers with the task as it is. */
async function sendAndWait(
  speaking: Speaking,
  script: Script,
  pushConfig?: { url: string; token: string },
): Promise<Task | undefined> {
  const { client, ledger, form } = speaking;
  const answer = await client.sendMessage(writeScript(script), { pushConfig });
  if (!isTask(answer)) {
    ledger.find(`${form} ${script.number} was answered with a message`);
    return undefined;
  }
  const isOver = answer.status.state !== 'working' && answer.status.state !== 'submitted';
  const task = isOver ? answer : await followed(client, answer.id);
  expectTask(speaking, script, task, 'completed');
  return task;
}

/** Sends, leaves at once and looks for the task later. */
async function leave(speaking: Speaking): Promise<void> {
  const { client, ledger, random } = speaking;
  const script = compose(speaking, 'count');
  const left = client.sendMessageStream(writeScript(script));
  ledger.streams += 2;
  let patience = random.between(1, 12);
  for await (const _ of left) {
    ledger.events += 1;
    patience -= 1;
    if (patience === 0) break;
  }
  const id = await left.id;
  const { status } = await client.getTask(id);
  const task = status.state === 'completed' ? await client.getTask(id) : await followed(client, id);
  expectTask(speaking, script, task, 'completed');
}

/** A task may end between the look and the subscription, which is then refused. */
async function followed(client: A2AClient, id: string): Promise<Task> {
  try {
    await client.subscribe(id).task;
  } catch (error) {
    if (!isA2AError(error) || !['UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND'].includes(error.code)) throw error;
  }
  for (;;) {
    const task = await client.getTask(id);
    if (task.status.state !== 'working' && task.status.state !== 'submitted') return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ask(speaking: Speaking): Promise<void> {
  const { client, random, ledger } = speaking;
  const script = compose(speaking, 'ask');
  const asking = await readStream(speaking, script);
  expectTask(speaking, script, asking, 'input-required');
  // Some are never answered, and wait to the end.
  if (random.chance(0.1)) return;
  const more = random.between(0, 20);
  ledger.streams += 1;
  const task = await client.sendMessageStream(String(more), { taskId: asking.id }).task;
  expectTask(speaking, script, task, 'completed', more);
}

async function cancel(speaking: Speaking): Promise<void> {
  const { client, ledger, form } = speaking;
  const script = compose(speaking, 'hang');
  const hanging = client.sendMessageStream(writeScript(script));
  ledger.streams += 1;
  for await (const _ of hanging) break;
  const id = await hanging.id;
  ledger.tellTask(script.number, id);
  const task = await client.cancelTask(id).catch(async (error: unknown) => {
    // The errors of rxjs do not tell a task that was canceled, by the request whose response was lost, from a wrong one.
    if (!form.startsWith('rxjs') || !isA2AError(error) || error.code !== 'INVALID_PARAMS') throw error;
    return client.getTask(id);
  });
  if (task.status.state !== 'canceled') ledger.find(`${script.number} is ${task.status.state} after a cancel: ${id}`);
}

async function fail(speaking: Speaking): Promise<void> {
  const script = compose(speaking, 'fail');
  expectTask(speaking, script, await readStream(speaking, script), 'failed');
}

async function reply(speaking: Speaking): Promise<void> {
  const { client, ledger, form } = speaking;
  const script = ledger.compose('reply', 0, 1);
  const answer = await client.sendMessage(writeScript(script));
  if (isTask(answer)) ledger.tellTask(script.number, answer.id);
  else ledger.replies.add(script.number);
  const said = isTask(answer) ? textOf(answer.status.message ?? '') : textOf(answer);
  if (said !== `Hello, ${script.number}`) ledger.find(`${form} ${script.number} was answered ${said}`);
}

async function hook(speaking: Speaking): Promise<void> {
  const { ledger, webhooks } = speaking;
  const script = compose(speaking, 'count');
  const pushConfig = { url: `${webhooks.url}?${encodeURIComponent(speaking.form)}`, token: webhooks.secret };
  const task = await sendAndWait(speaking, script, pushConfig);
  if (task) ledger.hooked.add(task.id);
}

async function list({ client, ledger, form }: Speaking): Promise<void> {
  const { tasks } = await client.listTasks({ pageSize: 25 });
  if (new Set(tasks.map(({ id }) => id)).size !== tasks.length) ledger.find(`${form} listed a task twice`);
}

async function get({ client, ledger, random, form }: Speaking): Promise<void> {
  const id = random.pick(ledger.recent);
  if (id === undefined) return;
  try {
    await client.getTask(id);
  } catch (error) {
    // It may be the task of another caller.
    if (!isA2AError(error) || error.code !== 'TASK_NOT_FOUND') throw error;
    ledger.count(`${form} of another caller`);
  }
}

/** JAF tells the end of some tasks as an error, has no bare messages and no webhooks; the receiver of ours reads neither the older spellings of rxjs nor cogitator */
export const OPERATIONS: readonly Operation[] = [
  { name: 'stream', weight: 8, perform: stream },
  { name: 'send', weight: 5, perform: send },
  { name: 'leave', weight: 4, perform: leave },
  { name: 'ask', weight: 3, perform: ask },
  { name: 'cancel', weight: 2, perform: cancel },
  { name: 'fail', weight: 1, perform: fail, except: ['jaf'] },
  { name: 'reply', weight: 1, perform: reply, except: ['jaf'] },
  { name: 'hook', weight: 3, perform: hook, except: ['jaf', 'rxjs-older', 'cogitator'] },
  { name: 'list', weight: 1, perform: list, only: ['1.0 JSON-RPC', '1.0 HTTP+JSON', 'v1_draft'] },
  { name: 'get', weight: 3, perform: get },
];
