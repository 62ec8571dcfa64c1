import { describe, expect, it } from 'vitest';
import { CALLING_DIALECTS } from '../../src/dialects/calling/calling-dialects.ts';
import {
  A2AError,
  CLIENT_ERROR_CODES,
  GENERAL_ERROR_CODES,
  PROTOCOL_ERROR_CODES,
  type WireErrorCode,
} from '../../src/model/errors/errors.ts';
import { CALL, callerOf, errorOf, WAYS, type Way } from './support/callers.ts';
import { stubServer } from './support/stub-server.ts';

const INPUT = { tenant: '', id: 't-1' };
const VIOLATIONS = [{ field: 'id', description: 'must be nice' }];

function failing(way: Way, error: A2AError, errorTable: '1.0.0' | '1.0.1' = '1.0.1'): Promise<A2AError> {
  const unary = () => {
    throw error;
  };
  const caller = callerOf(way, { fetch: stubServer(way.binding, { unary, errorTable }) });
  return errorOf(caller.unary('cancelTask', INPUT, CALL));
}

/** Codes that share their number or status with another and have nothing else to be told by. */
const SHARED: Readonly<Record<string, Partial<Record<WireErrorCode, WireErrorCode>>>> = {
  '0.3 JSONRPC': { NOT_FOUND: 'METHOD_NOT_FOUND' },
};

describe.each(WAYS)('errors of $version over $binding', (way) => {
  it.each([
    ...PROTOCOL_ERROR_CODES,
    ...GENERAL_ERROR_CODES,
  ])('%s arrives with its code, text and facts [rule:errors.client-reason] [rule:jsonrpc.client-status]', async (code) => {
    const error = await failing(
      way,
      new A2AError(code, 'It was said', { metadata: { taskId: 't-1' }, violations: VIOLATIONS }),
    );
    // In JSON-RPC of 0.3 errors have nothing but a code and a text.
    const hasFacts = way.version === '1.0' || way.binding === 'HTTP+JSON';
    expect(error.code).toBe(hasFacts || code !== 'NOT_FOUND' ? code : 'METHOD_NOT_FOUND');
    expect(error.message).toBe('It was said');
    expect(error.metadata).toEqual(hasFacts ? { taskId: 't-1' } : {});
    expect(error.violations).toEqual(hasFacts ? VIOLATIONS : []);
    expect(error.httpStatus).toBeTypeOf('number');
    expect(error.reason).toBeUndefined();
  });

  it.each([...PROTOCOL_ERROR_CODES, ...GENERAL_ERROR_CODES])('%s is known without any fact', async (code) => {
    const expected = SHARED[`${way.version} ${way.binding}`]?.[code] ?? code;
    expect((await failing(way, new A2AError(code, 'It was said'))).code).toBe(expected);
  });

  it.each(PROTOCOL_ERROR_CODES)('%s is known by both tables of statuses [rule:errors.client-reason]', async (code) => {
    expect((await failing(way, new A2AError(code, 'It was said'), '1.0.0')).code).toBe(code);
  });

  it('tell how long to wait', async () => {
    const error = await failing(way, new A2AError('OVERLOADED', 'Later'));
    expect(error).toMatchObject({ code: 'OVERLOADED', httpStatus: 429, retryAfter: 1000 });
  });

  it.each(CLIENT_ERROR_CODES)('%s of an agent that calls others is an internal error to its caller', async (code) => {
    const error = await failing(way, new A2AError(code, 'The secret address did not answer'));
    expect(error).toMatchObject({ code: 'INTERNAL', message: 'Internal error' });
  });
});

const [newer, older] = CALLING_DIALECTS;
const INFO = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'a2a-protocol.org' };

describe('error bodies', () => {
  it.each([
    [
      '1.0',
      { error: { code: 404, status: 'NOT_FOUND', message: 'Gone', details: [{ ...INFO, reason: 'TASK_NOT_FOUND' }] } },
    ],
    ['1.0 without details', { error: { code: 404, status: 'NOT_FOUND', message: 'Gone' } }],
    ['0.3, bare', { code: -32001, message: 'Gone' }],
    ['0.3, wrapped', { error: { code: -32001, message: 'Gone' } }],
    ['0.3 of this server before', { code: -32001, message: 'Gone', data: { taskId: 't-1' } }],
    [
      '0.3, for all readers at once',
      {
        error: { code: 404, status: 'NOT_FOUND', message: 'Gone', details: [{ ...INFO, reason: 'TASK_NOT_FOUND' }] },
        type: 'TaskNotFoundError',
        code: -32001,
        message: 'Gone',
      },
    ],
    ['the same without details', { error: { code: 404, message: 'Gone' }, code: -32001, message: 'Gone' }],
    ['0.3 by its name', { type: 'TaskNotFoundError', message: 'Gone' }],
    ['JSON-RPC', { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Gone' } }],
  ])('of the shape %s are read in both versions [rule:v03.client-errors]', (_, body) => {
    for (const dialect of CALLING_DIALECTS) {
      expect(dialect.rest.decodeError(body, 'getTask')).toMatchObject({ code: 'TASK_NOT_FOUND', message: 'Gone' });
    }
  });

  it('the number of JSON-RPC beside a status wins over that of HTTP in it [rule:v03.client-errors]', () => {
    const status = { code: 400, status: 'INVALID_ARGUMENT', message: 'No', details: [] };
    const read = (beside: object) => older?.rest.decodeError({ error: status, ...beside }, 'sendMessage')?.code;
    expect(read({})).toBe('INVALID_PARAMS');
    expect(read({ code: -32700 })).toBe('PARSE_ERROR');
    expect(read({ type: 'AuthenticatedExtendedCardNotConfiguredError' })).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
    expect(read({ type: 'InvalidRequestError' })).toBe('INVALID_REQUEST');
    expect(read({ type: 'about:blank', code: 400 })).toBe('INVALID_PARAMS');
  });

  it('the reason wins over number and status [rule:errors.client-reason]', () => {
    const details = [{ ...INFO, reason: 'VERSION_NOT_SUPPORTED', metadata: { supported: '1.0', depth: 3 } }];
    const decoded = newer?.decodeError({ code: -32603, message: 'No', data: details }, 'getTask');
    expect(decoded).toMatchObject({ code: 'VERSION_NOT_SUPPORTED', metadata: { supported: '1.0' } });
  });

  it('unknown codes become the nearest known one and keep what the peer said', () => {
    expect(newer?.decodeError({ code: -32050, message: 'Odd' }, 'getTask')).toMatchObject({
      code: 'INTERNAL',
      message: 'Odd',
      reason: '-32050',
    });
    const details = [{ ...INFO, reason: 'MOON_TOO_FULL' }];
    expect(
      newer?.rest.decodeError(
        { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'Odd', details } },
        'getTask',
      ),
    ).toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: 'Odd',
      reason: 'MOON_TOO_FULL',
    });
  });

  it('free-form data of 0.3 is kept as far as it is text', () => {
    const read = (data: unknown) => older?.decodeError({ code: -32602, message: 'No', data }, 'getTask').metadata;
    expect(read('why')).toEqual({ data: 'why' });
    expect(read({ why: 'so', deep: { no: 1 } })).toEqual({ why: 'so' });
    expect(read([1, 'two'])).toEqual({});
    expect(read(null)).toEqual({});
  });

  it('problem documents give their text', () => {
    expect(newer?.rest.decodeError({ title: 'Not found', detail: 'No such task' }, 'getTask')?.message).toBe(
      'Not found: No such task',
    );
  });

  it.each([
    undefined,
    null,
    1,
    'text',
    [],
    {},
    { error: 'text' },
    { detail: 'Not Found' },
    { code: 'x' },
  ])('%j is none', (body) => {
    expect(newer?.rest.decodeError(body, 'getTask')).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    1,
    'text',
    [],
    {},
    { code: 'x', message: 1, data: 2 },
  ])('of JSON-RPC may be anything: %j', (error) => {
    expect(newer?.decodeError(error, 'getTask').code).toBe('INTERNAL');
  });
});

describe('an error of a caller', () => {
  it('is no error of the protocol and cannot be sent', () => {
    for (const code of CLIENT_ERROR_CODES) expect(A2AError.from(new A2AError(code, 'x')).code).toBe('INTERNAL');
    expect(A2AError.from(new A2AError('TASK_NOT_FOUND', 'x')).code).toBe('TASK_NOT_FOUND');
  });

  it('carries what it knows, and nothing that was not given', () => {
    const error = new A2AError('UNAVAILABLE', 'x', { httpStatus: 503, retryAfter: 1500, reason: 'r' });
    expect(error).toMatchObject({ httpStatus: 503, retryAfter: 1500, reason: 'r' });
    expect(Object.keys(new A2AError('UNAVAILABLE', 'x')).sort()).toEqual(['code', 'metadata', 'name', 'violations']);
  });
});
