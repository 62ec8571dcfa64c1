import { CALLERS, type SoakCaller } from '../callers.ts';
import type { Ledger } from '../ledger.ts';
import { parseScript, textOfChunks } from '../script.ts';

interface WirePart {
  readonly text?: string;
}

interface WireTask {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly WirePart[] }[];
  readonly history?: readonly { readonly role: string; readonly parts: readonly WirePart[] }[];
}

interface WirePage {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken?: string;
}

const textOfParts = (parts: readonly WirePart[]) => parts.map(({ text = '' }) => text).join('');

/** Cancels the tasks that work until somebody does, and whose sender was never told that they are there. */
export async function cancelForgotten(url: string, ledger: Ledger): Promise<void> {
  for (const caller of CALLERS) {
    for await (const task of tasksOf(url, caller, { status: 'TASK_STATE_WORKING' })) {
      const { number, verb } = parseScript(saidIn(task)[0] ?? '');
      if (verb === 'hang' && !ledger.tasks.has(number)) await call(url, caller, 'CancelTask', { id: task.id });
    }
  }
}

/** Reads all tasks of all callers, and holds each against its message. Returns how many there are of each state. */
export async function checkTasks(url: string, ledger: Ledger): Promise<Readonly<Record<string, number>>> {
  const states: Record<string, number> = {};
  const taskOfNumber = new Map<number, string>();
  const readTasks = async (caller: SoakCaller) => {
    for await (const task of tasksOf(url, caller)) {
      states[task.status.state] = (states[task.status.state] ?? 0) + 1;
      checkTask(task, taskOfNumber, ledger);
    }
  };
  await Promise.all(CALLERS.map(readTasks));
  for (const [number, id] of ledger.tasks) {
    if (taskOfNumber.get(number) !== id) ledger.find(`Task ${id} of message ${number} is in no list`);
  }
  return states;
}

function checkTask(task: WireTask, taskOfNumber: Map<number, string>, ledger: Ledger): void {
  const [said = '', answered = '0'] = saidIn(task);
  const { number, verb, chunks } = parseScript(said);
  const about = `${task.id} of message ${number} (${verb})`;
  const other = taskOfNumber.get(number);
  if (other !== undefined) ledger.find(`${about} was carried out before, as ${other}`);
  taskOfNumber.set(number, task.id);
  const text = (task.artifacts ?? []).map(({ parts }) => textOfParts(parts)).join('');
  const state = task.status.state.replace('TASK_STATE_', '');
  const more = state === 'COMPLETED' ? Number(answered) : 0;
  const whole = textOfChunks(number, chunks + more);
  const expected = { count: 'COMPLETED', ask: 'COMPLETED', fail: 'FAILED', hang: 'CANCELED', reply: 'COMPLETED' }[verb];
  // A task that nobody knows of is not canceled before the end: in a long run the time that a turn may be silent ends it first.
  const isForgotten = verb === 'hang' && state === 'FAILED' && !ledger.tasks.has(number);
  if (state !== expected && !isForgotten && !(verb === 'ask' && state === 'INPUT_REQUIRED')) {
    ledger.find(`${about} is ${state} at the end, not ${expected}`);
  } else if (verb === 'hang' ? !whole.startsWith(text) : text !== whole) {
    ledger.find(`${about} is ${state} with the text ${text.slice(0, 200)}`);
  }
}

/** The texts of the caller. */
function saidIn({ history = [] }: WireTask): readonly string[] {
  return history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => textOfParts(parts));
}

async function* tasksOf(url: string, caller: SoakCaller, filter: object = {}): AsyncGenerator<WireTask, void, void> {
  let pageToken: string | undefined;
  do {
    const page: WirePage = await call(url, caller, 'ListTasks', { ...WHOLE, ...filter, pageToken });
    yield* page.tasks;
    pageToken = page.nextPageToken;
  } while (pageToken);
}

const WHOLE = { pageSize: 100, includeArtifacts: true, historyLength: 10 } as const;

async function call<Result>(url: string, { headers }: SoakCaller, method: string, params: object): Promise<Result> {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: Result; error?: unknown };
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
