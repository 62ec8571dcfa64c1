import { describe, expect, it } from 'vitest';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import {
  A2AError,
  GENERAL_ERROR_CODES,
  invalidParams,
  PROTOCOL_ERROR_CODES,
  taskNotFound,
} from '../../../src/model/errors/errors.ts';
import { violationsOfV1 } from '../support/closed-schema.ts';
import { refusalOf } from '../support/refusals.ts';

const { errorDetails, decode } = v1_0;

const INVALID = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'INVALID_PARAMS',
  domain: 'a2a-protocol.org',
};

describe('error details of 1.0', () => {
  it.each(PROTOCOL_ERROR_CODES)('%s has its ErrorInfo', (code) => {
    const details = errorDetails(new A2AError(code, 'x'));
    expect(details).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'a2a-protocol.org' },
    ]);
  });

  it('tells the facts as metadata', () => {
    const [info] = errorDetails(taskNotFound('t-404')) as readonly unknown[];
    expect(info).toMatchObject({ reason: 'TASK_NOT_FOUND', metadata: { taskId: 't-404' } });
    expect(violationsOfV1('ErrorInfo', info)).toEqual([]);
  });

  it('names the failing fields of a validation error [rule:errors.fields]', () => {
    const error = refusalOf(() => decode.sendMessage({ message: { messageId: 'm-1', role: 'user', parts: [] } }));
    const details = errorDetails(error) as readonly unknown[];
    expect(details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          { field: 'message.parts', description: 'must not be empty' },
          { field: 'message.role', description: 'must be one of ROLE_USER, ROLE_AGENT' },
        ],
      },
      INVALID,
    ]);
    expect(violationsOfV1('BadRequest', details[0])).toEqual([]);
    expect(violationsOfV1('ErrorInfo', details[1])).toEqual([]);
    expect(errorDetails(invalidParams())).toEqual([INVALID]);
  });

  it('give a reason to every error, in both bindings', () => {
    const status = { http: 400, grpc: 'INVALID_ARGUMENT' };
    for (const reason of [...PROTOCOL_ERROR_CODES, ...GENERAL_ERROR_CODES]) {
      const error = new A2AError(reason, 'No');
      const details = [{ ...INVALID, reason }];
      expect(errorDetails(error)).toEqual(details);
      const told = { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No', details } };
      expect(v1_0.rest.errorBody(error, status, 'agent')).toEqual(told);
    }
  });

  it('have the facts, and never the cause', () => {
    const internal = new A2AError('INTERNAL', 'Internal error', { cause: new Error('secret') });
    expect(errorDetails(internal)).toEqual([{ ...INVALID, reason: 'INTERNAL' }]);
    expect(errorDetails(new A2AError('OVERLOADED', 'Busy', { metadata: { retryAfter: '5' } }))).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'OVERLOADED',
        domain: 'a2a-protocol.org',
        metadata: { retryAfter: '5' },
      },
    ]);
  });
});
