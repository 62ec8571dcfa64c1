import { describe, expect, it } from 'vitest';
import { errorDetails } from '../../../src/dialects/v0_3/errors.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import { rxjs } from '../../../src/dialects/v0_3/rxjs/index.ts';
import {
  A2AError,
  type A2AErrorCode,
  GENERAL_ERROR_CODES,
  invalidParams,
  PROTOCOL_ERROR_CODES,
  taskNotFound,
} from '../../../src/model/errors/errors.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import { refusalOf } from '../support/refusals.ts';

const { errorOf, decode, rest } = v0_3;
const status = { http: 404, grpc: 'NOT_FOUND' };

describe('errors of 0.3', () => {
  it('tell their facts as the document has them (S0.5)', () => {
    expect(errorDetails(taskNotFound('task-999'))).toEqual({ taskId: 'task-999' });
    expect(rxjs.errorDetails(taskNotFound('task-999'))).toEqual({ taskId: 'task-999' });
  });

  it('have no data over JSON-RPC, which no form of it reaches all clients with', () => {
    for (const error of [taskNotFound('task-999'), invalidParams({ field: 'id', description: 'is required' })]) {
      expect(v0_3.errorDetails(error)).toBeUndefined();
    }
  });

  it('name the failing fields', () => {
    const error = refusalOf(() => decode.sendMessage({ message: { messageId: 'm-1', role: 'system', parts: [] } }));
    expect(errorDetails(error)).toEqual({
      fieldViolations: [
        { field: 'message.parts', description: 'must not be empty' },
        { field: 'message.role', description: 'must be one of user, agent' },
      ],
    });
  });

  it('have nothing to add where there are no facts, and never the cause', () => {
    const error = new A2AError('INTERNAL', 'Internal error', { cause: new Error('secret') });
    expect(errorDetails(error)).toBeUndefined();
    expect(JSON.stringify(rest.errorBody(error, status, 'root'))).toBe(
      '{"error":{"code":-32603,"message":"Internal error"}}',
    );
    const details = [{ reason: 'INTERNAL' }];
    expect(rest.errorBody(error, status, 'agent')).toMatchObject({ error: { details }, code: -32603 });
  });

  it('have all that peers read in REST, with the codes of JSON-RPC [rule:v03.rest-errors-union]', () => {
    expect(rest.errorBody(taskNotFound('t-404'), status, 'agent')).toEqual({
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'Task not found',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 't-404' },
          },
        ],
      },
      type: 'TaskNotFoundError',
      code: -32001,
      message: 'Task not found',
    });
    const codeOf = (code: A2AErrorCode) =>
      (rest.errorBody(new A2AError(code, 'x'), status, 'agent') as { code: number }).code;
    expect(PROTOCOL_ERROR_CODES.map(codeOf)).toEqual([
      -32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32009,
    ]);
    const general = ['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'INTERNAL'] as const;
    expect(general.map(codeOf)).toEqual([-32700, -32600, -32601, -32602, -32603]);
    expect(GENERAL_ERROR_CODES.map(codeOf).every((code) => code <= -32600 && code >= -32700)).toBe(true);
  });

  it('say that an extended card is not configured where none is declared [rule:v03.extended-card]', () => {
    const refused = new A2AError('UNSUPPORTED_OPERATION', 'No', { metadata: { capability: 'extendedAgentCard' } });
    const known = errorOf(refused, 'getExtendedCard');
    expect(known.code).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
    expect(known).toMatchObject({ message: 'No', metadata: refused.metadata, cause: refused });
    for (const operation of [...(Object.keys(OPERATIONS) as OperationName[]), undefined]) {
      if (operation !== 'getExtendedCard') expect(errorOf(refused, operation)).toBe(refused);
    }
    const other = taskNotFound('t-1');
    expect(errorOf(other, 'getExtendedCard')).toBe(other);
  });

  it('call the parts of a message by their name in the form', () => {
    const error = invalidParams({ field: 'message.parts[3].text', description: 'must be short' });
    expect(errorOf(error, 'sendMessage')).toBe(error);
    expect(v0_3Proto.errorOf(error, 'sendMessage')).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'Invalid parameters: message.content[3].text must be short',
      violations: [{ field: 'message.content[3].text', description: 'must be short' }],
    });
    const other = taskNotFound('t-1');
    expect(v0_3Proto.errorOf(other, 'getTask')).toBe(other);
    const card = new A2AError('UNSUPPORTED_OPERATION', 'No');
    expect(v0_3Proto.errorOf(card, 'getExtendedCard').code).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
  });

  it('are events of every stream over JSON-RPC, of none over REST [rule:v03.stream-error]', () => {
    expect(v0_3.errorsInStream).toEqual(new Set(['sendStreamingMessage', 'subscribeToTask']));
    for (const dialect of [v0_3Text, v0_3Proto, v0_3Bare]) expect(dialect.errorsInStream).toEqual(new Set());
  });
});

it('reads and answers extensions under its own header [rule:v03.extensions]', () => {
  for (const dialect of [v0_3, v0_3Text, v0_3Proto, v0_3Bare]) {
    expect(dialect.extensionsHeader).toBe('x-a2a-extensions');
    expect(dialect.version).toBe('0.3');
  }
});
