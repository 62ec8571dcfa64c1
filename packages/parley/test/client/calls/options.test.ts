import { A2AClient } from 'parley-a2a';
import { jaf } from 'parley-a2a/dialects';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const URL_OF_AGENT = 'http://localhost';

function started() {
  const { server } = startServer(agentOf(async (task) => `Hello, ${task.text}`));
  let requests = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests += 1;
    return server.fetch(new Request(input, init));
  };
  return { client: new A2AClient(URL_OF_AGENT, { fetch }), requests: () => requests };
}

describe('an option of the client', () => {
  it.each<[object, string]>([
    [{ headres: {} }, 'there is no option headres; did you mean headers?'],
    [{ trsut: {} }, 'there is no option trsut; did you mean trust?'],
    [{ timeout: -1 }, 'timeout must be a number of milliseconds that is not negative, not -1'],
    [{ timeout: Number.NaN }, 'timeout must be a number of milliseconds that is not negative, not NaN'],
    [{ timeout: '5' }, 'timeout must be a number of milliseconds that is not negative, not "5"'],
    [{ prefer: 'HTTP+JSON' }, 'prefer must be an object with binding, version, not "HTTP+JSON"'],
    [{ prefer: { binging: 'x' } }, 'there is no option prefer.binging; did you mean prefer.binding?'],
    [{ prefer: { version: '2.0' } }, 'prefer.version must be 1.0 or 0.3, not "2.0"'],
    [{ retry: { atempts: 1 } }, 'there is no option retry.atempts; did you mean retry.attempts?'],
    [{ retry: { attempts: 'x' } }, 'retry.attempts must be a whole number that is not negative, or Infinity, not "x"'],
    [{ retry: true }, 'retry must be an object with attempts, firstDelay, longestDelay, not true'],
    [{ reconnect: { idleTimeout: Number.NaN } }, 'reconnect.idleTimeout must be a number of milliseconds'],
    [{ limits: { body: 5 } }, 'there is no option limits.body; did you mean limits.bodyBytes?'],
    [{ limits: { bodyBytes: 'x' } }, 'limits.bodyBytes must be a number of bytes of at least 1, not "x"'],
    [{ headers: 'x' }, 'headers must be an object whose values are strings, or a function, not a string'],
    [{ headers: { authorization: 5 } }, 'headers must be an object whose values are strings, or a function, not'],
    [{ headers: new Headers() }, 'headers must be an object whose values are strings, or a function, not a Headers'],
    [{ credentials: 'token' }, 'credentials must be credentials by the names of schemes, such as { bearer: token }'],
    [{ credentials: { bearer: 5 } }, 'credentials must be credentials by the names of schemes'],
    [{ dialects: ['jaf'] }, 'dialects[0] must be a dialect, such as jaf of parley-a2a/dialects, not "jaf"'],
    [{ dialects: jaf }, 'dialects must be a list of dialects, not an object'],
    [{ bindings: [{}] }, 'bindings[0] must be a binding, with protocolBinding and open, not an object'],
    [{ interceptors: () => 1 }, 'interceptors must be a list of functions, not a function'],
    [{ signal: new AbortController() }, 'signal must be an AbortSignal, not an AbortController'],
    [{ fileEncoding: 'once' }, 'fileEncoding must be an object, not "once"'],
  ])('that is %o is refused', async (options, problem) => {
    expect(() => new A2AClient(URL_OF_AGENT, options)).toThrow(`A2AClient: ${problem}`);
    await expect(A2AClient.connect(URL_OF_AGENT, options)).rejects.toThrow(TypeError);
  });

  it('is not repeated where it may be a secret', () => {
    expect(() => new A2AClient(URL_OF_AGENT, { credentials: 'hunter2' as never })).not.toThrow('hunter2');
    expect(() => new A2AClient(URL_OF_AGENT, { headers: 'hunter2' as never })).not.toThrow('hunter2');
  });

  it('may be without a value, and options must be an object', () => {
    expect(() => new A2AClient(URL_OF_AGENT, { headres: undefined, timeout: undefined } as object)).not.toThrow();
    expect(() => new A2AClient(URL_OF_AGENT, null as never)).toThrow('A2AClient: the options must be an object');
  });
});

describe('an option of a call', () => {
  it.each<[object, string]>([
    [{ taskID: 'x' }, 'there is no option taskID; did you mean taskId?'],
    [{ contextID: 'x' }, 'there is no option contextID; did you mean contextId?'],
    [{ taskId: '' }, 'taskId must be a string that is not empty, not ""'],
    [{ historyLength: '5' }, 'historyLength must be a whole number, not "5"'],
    [{ priority: 'urgent' }, 'priority must be low, normal or high, not "urgent"'],
    [{ returnImmediately: true, blocking: true }, 'returnImmediately and blocking say the opposite of each other'],
    [{ idempotencyKey: 5 }, 'idempotencyKey must be a string, not 5'],
    [{ pushNotificationConfig: { url: 'http://x' } }, 'the option pushNotificationConfig is pushConfig here'],
    [{ timeout: Number.NaN }, 'timeout must be a number of milliseconds'],
    [{ onInput: 'yes' }, 'onInput must be a function, not "yes"'],
  ])('that is %o is refused before anything is sent', async (options, problem) => {
    const { client, requests } = started();
    await expect(client.sendMessage('x', options)).rejects.toThrow(`sendMessage: ${problem}`);
    await expect(client.run('x', options)).rejects.toThrow(`run: ${problem}`);
    expect(() => client.sendMessageStream('x', options)).toThrow(`sendMessageStream: ${problem}`);
    expect(requests()).toBe(0);
  });

  it.each<[object, string]>([
    [{ state: 'done' }, 'state must be submitted, working, completed, failed, canceled'],
    [{ contextID: 'x' }, 'there is no option contextID; did you mean contextId?'],
    [{ contextId: '' }, 'contextId must be a string that is not empty, not ""'],
    [{ pageSize: 'x' }, 'pageSize must be a whole number that is not negative, not "x"'],
  ])('listTasks refuses the filter %o', (filter, problem) => {
    const { client, requests } = started();
    expect(() => client.listTasks(filter)).toThrow(`listTasks: ${problem}`);
    expect(requests()).toBe(0);
  });

  it('is refused by all other methods too', async () => {
    const { client } = started();
    const wrong = { timeuot: 5 } as object;
    const problem = 'there is no option timeuot; did you mean timeout?';
    await expect(client.getTask('x', wrong)).rejects.toThrow(`getTask: ${problem}`);
    await expect(client.cancelTask('x', wrong)).rejects.toThrow(`cancelTask: ${problem}`);
    await expect(client.agentCard(wrong)).rejects.toThrow(`agentCard: ${problem}`);
    await expect(client.extendedCard(wrong)).rejects.toThrow(`extendedCard: ${problem}`);
    await expect(client.listPushConfigs('x', wrong)).rejects.toThrow(`listPushConfigs: ${problem}`);
    expect(() => client.subscribe('x', wrong)).toThrow(`subscribe: ${problem}`);
    expect(() => client.listTasks({}, wrong)).toThrow(`listTasks: ${problem}`);
  });
});
