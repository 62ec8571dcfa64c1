import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStreamOperation, OPERATIONS, type OperationInputs, type OperationName } from '../../src/model/operations.ts';
import type { Message } from '../../src/model/task.ts';
import { lossy } from '../dialects/support/losses-v03.ts';
import type { Wire } from '../support/rpc.ts';
import { arbitraryInputs, noTenant, tenants } from './support/arbitrary-inputs.ts';
import { CALL, callerOf, collected, errorOf, WAYS, type Way } from './support/callers.ts';
import { stubServer } from './support/stub-server.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];
const REPLY: Message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };
const INTERRUPTED = new Error('what the service got is enough');

/** Makes the call and gives what the operation got at the other end. */
async function received(way: Way, operation: OperationName, input: unknown): Promise<unknown> {
  let got: unknown;
  const take = (_: OperationName, seen: unknown): Message => {
    got = seen;
    return REPLY;
  };
  const unary = (_: OperationName, seen: unknown) => {
    got = seen;
    throw INTERRUPTED;
  };
  const caller = callerOf(way, { fetch: stubServer(way.binding, { unary, reply: take }) });
  if (isStreamOperation(operation)) {
    const events = await collected(caller.stream(operation, input as OperationInputs[typeof operation], CALL));
    expect(events.map(({ event }) => event.kind)).toEqual(['message']);
  } else {
    const error = await errorOf(caller.unary(operation, input as OperationInputs[typeof operation], CALL));
    expect(error.code).toBe('INTERNAL');
  }
  return got;
}

/** What 0.3 cannot carry. */
function older(way: Way, operation: OperationName, input: OperationInputs[OperationName]): unknown {
  if ('message' in input) return { ...input, message: lossy.message(input.message) };
  if (operation === 'listPushConfigs' && way.binding === 'JSONRPC' && 'taskId' in input) {
    return { tenant: '', taskId: input.taskId };
  }
  return input;
}

describe.each(WAYS)('requests of $version over $binding', (way) => {
  const inputs = arbitraryInputs(way.version === '1.0' ? tenants : noTenant);
  const names = NAMES.filter((name) => way.version === '1.0' || name !== 'listTasks');

  it.each(names)('%s arrives as it was meant [rule:tenant.client-echo]', async (operation) => {
    const arbitrary: fc.Arbitrary<OperationInputs[OperationName]> = inputs[operation];
    await fc.assert(
      fc.asyncProperty(arbitrary, async (input) => {
        const expected = way.version === '1.0' ? input : older(way, operation, input);
        expect(await received(way, operation, input)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

it.each(WAYS.filter(({ version }) => version === '0.3'))('tasks cannot be listed in 0.3 over $binding', async (way) => {
  const caller = callerOf(way, { fetch: () => Promise.reject(new Error('nothing must be sent')) });
  const error = await errorOf(caller.unary('listTasks', { tenant: '', pageSize: 50, includeArtifacts: false }, CALL));
  expect(error.code).toBe('UNSUPPORTED_OPERATION');
});

describe.each(WAYS)('sends of $version over $binding', (way) => {
  it('name the version and the type, and carry the headers of the call [rule:version.client-sends]', async () => {
    let headers = new Headers();
    const fetch: typeof globalThis.fetch = async (_, init) => {
      headers = new Headers(init?.headers);
      return Response.json({});
    };
    const call = {
      headers: { Authorization: 'Bearer x', 'A2A-Version': '9.9', 'Last-Event-ID': '7' },
      signal: undefined,
    };
    await errorOf(callerOf(way, { fetch }).unary('sendMessage', SEND, call));
    expect(headers.get('a2a-version')).toBe(way.version);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('accept')).toContain('application/json');
    expect(headers.get('authorization')).toBe('Bearer x');
    expect(headers.get('last-event-id')).toBe('7');
  });

  it('write `blocking` in 0.3, whatever it is [rule:v03.client-blocking]', async () => {
    if (way.version === '1.0') return;
    const configurations: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const body = (await new Request(input, init).json()) as Wire;
      configurations.push((body.params ?? body).configuration);
      return Response.json({});
    };
    const caller = callerOf(way, { fetch });
    await errorOf(caller.unary('sendMessage', SEND, CALL));
    await errorOf(caller.unary('sendMessage', { ...SEND, returnImmediately: true }, CALL));
    expect(configurations).toEqual([{ blocking: true }, { blocking: false }]);
  });
});

const SEND: OperationInputs['sendMessage'] = {
  tenant: '',
  message: { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
  acceptedOutputModes: [],
  returnImmediately: false,
};

describe('addresses over HTTP+JSON', () => {
  const visited = async (url: string, id: string): Promise<string> => {
    let seen = '';
    const fetch: typeof globalThis.fetch = async (input) => {
      seen = new Request(input).url;
      return Response.json({});
    };
    await errorOf(
      callerOf({ version: '1.0', binding: 'HTTP+JSON' }, { url, fetch }).unary(
        'getTask',
        { tenant: '', id, historyLength: 2 },
        CALL,
      ),
    );
    return seen;
  };

  it('are below that of the interface, with its query', async () => {
    expect(await visited('http://agent.test', 't')).toBe('http://agent.test/tasks/t?historyLength=2');
    expect(await visited('http://agent.test/a/', 't')).toBe('http://agent.test/a/tasks/t?historyLength=2');
    expect(await visited('http://agent.test/a?key=1#x', 't')).toBe('http://agent.test/a/tasks/t?key=1&historyLength=2');
    expect(await visited('http://agent.test/a', 'x/y:z ?#')).toBe(
      'http://agent.test/a/tasks/x%2Fy%3Az%20%3F%23?historyLength=2',
    );
  });

  it.each(['', '.', '..', '\ud800'])('refuse the id %j, which a path cannot carry', async (id) => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error('nothing must be sent'));
    const caller = callerOf({ version: '1.0', binding: 'HTTP+JSON' }, { fetch });
    expect((await errorOf(caller.unary('getTask', { tenant: '', id }, CALL))).code).toBe('INVALID_PARAMS');
  });
});
