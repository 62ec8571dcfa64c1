import type { OperationName } from '../../../src/model/operations.ts';
import { type Schema, violationsOf } from '../../dialects/support/closed-schema.ts';
import { ENUMS_V1, MAY_BE_EMPTY, SCHEMA_V1 } from '../../dialects/support/schema-v1.ts';
import { SCHEMA_V03, SCHEMA_V03_PROTO } from '../../dialects/support/schema-v03.ts';
import type { Wire } from '../../support/rpc.ts';
import { problemsOfError } from './answers.ts';
import type { Form } from './forms.ts';
import { PROTO_V03, REST_V03, ROOT_V03 } from './forms-v03.ts';

/** What a success is made of: the schema, and the types of sends, of events and of tasks in it. */
interface Shape {
  readonly schema: Schema;
  readonly send: string;
  readonly event: string;
}

const V1: Shape = {
  schema: { types: SCHEMA_V1, enums: ENUMS_V1, mayBeEmpty: MAY_BE_EMPTY },
  send: 'SendMessageResponse',
  event: 'StreamResponse',
};
const V03_BARE: Shape = { schema: SCHEMA_V03, send: 'SendResult', event: 'StreamEvent' };
const V03_TEXT: Shape = { schema: SCHEMA_V03, send: 'Wrapped', event: 'Wrapped' };
const V03_PROTO: Shape = { schema: SCHEMA_V03_PROTO, send: 'StreamResponse', event: 'StreamResponse' };

/** A request that is hard to read may be answered in either form of 0.3 (reference: v03 §8). */
function shapesOf(form: Form): readonly Shape[] {
  if (form.version === '1.0') return [V1];
  if (form === REST_V03 || form === PROTO_V03) return [V03_TEXT, V03_PROTO];
  return form === ROOT_V03 ? [V03_BARE, V03_TEXT, V03_PROTO] : [V03_BARE];
}

function typeOf(operation: OperationName, shape: Shape): string | undefined {
  switch (operation) {
    case 'sendMessage':
      return shape.send;
    case 'sendStreamingMessage':
    case 'subscribeToTask':
      return shape.event;
    case 'getTask':
    case 'cancelTask':
      return 'Task';
    case 'listTasks':
      return 'ListTasksResponse';
    case 'getExtendedCard':
      return 'AgentCard';
    case 'createPushConfig':
    case 'getPushConfig':
    case 'listPushConfigs':
    case 'deletePushConfig':
      return undefined;
  }
}

/** What is wrong with a success, or with one event of a stream: nothing, if a strict validator takes it. */
function problemsOfResult(form: Form, operation: OperationName, result: Wire): string[] {
  const found = shapesOf(form).map((shape) => {
    const type = typeOf(operation, shape);
    return type === undefined ? [`${operation} is not offered`] : violationsOf(shape.schema, type, result);
  });
  return found.some((problems) => problems.length === 0) ? [] : found.flat();
}

function problemsOfDocument(form: Form, operation: OperationName, http: number, body: Wire): string[] {
  if (form.binding === 'rest') {
    return http === 200 ? problemsOfResult(form, operation, body) : problemsOfError(form, http, body);
  }
  if (typeof body !== 'object' || body === null || 'error' in body) return problemsOfError(form, http, body);
  const names = Object.keys(body).sort().join();
  return names === 'id,jsonrpc,result' ? problemsOfResult(form, operation, body.result) : [`members ${names}`];
}

const EVENT = /^(?:id: \d+\n)?(?:event: error\n)?data: [^\n]*$/;

/** The events of a stream that have come by the first pause; then the reader goes away. */
async function firstEvents(response: Response): Promise<string[]> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value).split('\n\n').slice(0, -1);
}

/**
 * What is wrong with an answer, whatever was asked: a status of 5xx, another media type, members outside of the schema,
 * half a document. `[]` is a well-formed success or error of the form.
 */
export async function problemsOfAnswer(form: Form, operation: OperationName, response: Response): Promise<string[]> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status >= 500) return [`${response.status} ${await response.text()}`];
  if (type.startsWith('text/event-stream')) {
    const events = await firstEvents(response);
    if (events.length === 0) return ['a stream without an event'];
    return events.flatMap((event) => {
      if (!EVENT.test(event)) return [`not an event: ${event}`];
      const data = event.slice(event.indexOf('data: ') + 'data: '.length);
      return problemsOfDocument(form, operation, 200, JSON.parse(data));
    });
  }
  if (!/^application\/(a2a\+)?json(;|$)/.test(type)) return [`a body of type ${type}`];
  return problemsOfDocument(form, operation, response.status, JSON.parse(await response.text()));
}
