import { A2AClient, isTask, type Task } from 'parley-a2a';
import type { Speaker } from '../../support/speakers.ts';
import type { RawRequest } from './raw-request.ts';
import type { Headers } from './victim.ts';

/** The values in a request that an attacker exchanges for those of somebody else. */
export interface Target {
  readonly taskId: string;
  readonly contextId: string;
}

/** The newest version over JSON-RPC, where the dialect does not matter. */
export const OFFICIAL: Speaker = {
  name: '1.0 JSON-RPC',
  path: '',
  options: { prefer: { version: '1.0', binding: 'JSONRPC' } },
};

/** A request that worked for its owner, to be sent again by others and about other tasks. */
export type Template = (target: Target, credentials: Headers) => RawRequest;

/** What a client does with a task of its own. */
export type Performed = (client: A2AClient, task: Target) => Promise<unknown>;

/** Records the requests of a client: each operation's own, as it worked for the owner of a task. */
export class Recorder {
  readonly #client: A2AClient;
  readonly #credentials: Headers;
  readonly #requests: { readonly request: RawRequest; readonly isOk: boolean }[] = [];

  constructor(url: string, { path, options }: Speaker, credentials: Headers) {
    this.#credentials = credentials;
    this.#client = new A2AClient(`${url}${path}`, {
      ...options,
      retry: false,
      reconnect: false,
      headers: credentials,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { pathname, search } = new URL(request.url);
        const body = request.body === null ? undefined : await request.clone().text();
        const headers = Object.fromEntries(request.headers);
        const response = await fetch(request);
        const recorded = { method: request.method, path: pathname + search, headers, body };
        this.#requests.push({ request: recorded, isOk: response.ok });
        return response;
      },
    });
  }

  /** A new task of the recorded client. */
  async begin(text = 'go'): Promise<Target> {
    const task: Task = await this.#task(text);
    return { taskId: task.id, contextId: task.contextId };
  }

  async #task(text: string): Promise<Task> {
    const sent = await this.#client.sendMessage(text);
    if (!isTask(sent)) throw new Error('A task was expected');
    return sent;
  }

  /** The last request of what is performed. Rejects where the dialect has none, or the owner itself is refused. */
  async record(perform: Performed): Promise<Template> {
    const task = await this.begin();
    this.#requests.length = 0;
    await perform(this.#client, task);
    const recorded = this.#requests.at(-1);
    if (!recorded?.isOk) throw new Error('The owner itself was refused');
    return templateOf(recorded.request, task, Object.keys(this.#credentials));
  }
}

/** Makes a template of a request: ids stand in its path and its body as URLs and JSON write them. */
function templateOf(request: RawRequest, { taskId, contextId }: Target, secretHeaders: readonly string[]): Template {
  // A key of its own would make the second request with it a repetition.
  const left = new Set([...secretHeaders, 'content-length', 'idempotency-key']);
  const own = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !left.has(name)));
  return (target, credentials) => {
    const filled = (text: string, write: (value: string) => string) =>
      text.replaceAll(taskId, () => write(target.taskId)).replaceAll(contextId, () => write(target.contextId));
    const body = request.body === undefined ? undefined : filled(request.body, (id) => JSON.stringify(id).slice(1, -1));
    const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return {
      method: request.method,
      path: filled(request.path, encodeURIComponent),
      headers: { ...own, ...credentials, ...length },
      body,
    };
  };
}
