// Runs the package in a world with what browsers, workers, Deno and Bun have in common and nothing of Node: no `process`,
// no `Buffer`, no `node:` modules. Needs `--experimental-vm-modules`; run by `pack.test.ts`.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createContext, SourceTextModule } from 'node:vm';

/** Timers that have neither fired nor been cleared, with their milliseconds. */
const running = new Map();
const timers = {
  // A number, as it is outside of Node.
  setTimeout(callback, milliseconds) {
    const timer = Number(
      setTimeout(() => {
        running.delete(timer);
        callback();
      }, milliseconds),
    );
    running.set(timer, milliseconds);
    return timer;
  },
  clearTimeout(timer) {
    running.delete(timer);
    clearTimeout(timer);
  },
};
const streams = { ReadableStream, TextDecoder, TextEncoder };
const web = {
  AbortController,
  AbortSignal,
  Headers,
  Request,
  Response,
  URL,
  URLSearchParams,
  atob,
  btoa,
  console,
  crypto,
};
const world = createContext({ ...timers, ...streams, ...web });

const modules = new Map();

function load(url) {
  if (!url.startsWith('file:')) throw new Error(`${url} is loaded, which is not there`);
  if (!modules.has(url))
    modules.set(
      url,
      readFile(new URL(url), 'utf8').then((source) => moduleOf(url, source)),
    );
  return modules.get(url);
}

function moduleOf(identifier, source) {
  const importModuleDynamically = (specifier) => Promise.reject(new Error(`${specifier} is asked for`));
  return new SourceTextModule(source, { identifier, context: world, importModuleDynamically });
}

const root = await load(import.meta.resolve('parley-a2a'));
await root.link((specifier, from) =>
  load(specifier.startsWith('.') ? new URL(specifier, from.identifier).href : import.meta.resolve(specifier)),
);
await root.evaluate();

const { A2AServer, defineAgent } = root.namespace;
const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  async *run(task) {
    yield `Hello, ${task.text}!`;
  },
});
const server = new A2AServer({ agents: [hello] });
const { fetch: respond } = server;

function request(method) {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'world' }] };
  return new Request('https://agents.example.com/a2a', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
}

const { result } = await (await respond(request('SendMessage'))).json();
assert.deepEqual(result.task.artifacts[0].parts, [{ text: 'Hello, world!' }]);
assert.match(await (await respond(request('SendStreamingMessage'))).text(), /TASK_STATE_COMPLETED/);
await server.close();
assert.deepEqual([...running.values()], [], 'a server that is closed has no timer');
console.log(`served from ${modules.size} files`);
