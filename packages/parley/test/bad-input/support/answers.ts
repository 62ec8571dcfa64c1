import { expect } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import type { Wire } from '../../support/rpc.ts';
import { ERRORS, type ErrorName, GRPC_NAMES } from './codes.ts';
import { type Form, REQUEST_ID } from './forms.ts';

/** A refused request, whatever the form. */
export interface Refusal {
  readonly http: number;
  /** The JSON-RPC code; in REST of 1.0, which has none, the HTTP status. */
  readonly code: number;
  /** The name of the gRPC code, where the form has it. */
  readonly grpc: string | undefined;
  readonly message: string;
  /** The fields that are named as wrong, in their order. */
  readonly fields: readonly string[];
  /** What would be right, for each of them. */
  readonly descriptions: readonly string[];
  /** The size of the answer's body. */
  readonly size: number;
}

const DETAIL = /^type\.googleapis\.com\/google\.rpc\.(ErrorInfo|BadRequest)$/;
const LONGEST_ERROR = 8_000;

/** What is wrong with the shape of an error's details in 1.0. */
function problemsOfDetails(details: Wire): string[] {
  if (!Array.isArray(details)) return [`the details are no list: ${JSON.stringify(details)}`];
  return details.flatMap((detail) => {
    const type = DETAIL.exec(detail?.['@type'])?.[1];
    return type ? violationsOfV1(type, detail) : [`a detail is of no known type: ${JSON.stringify(detail)}`];
  });
}

/** 0.3 leaves the data open; ours is an object of texts and the fields that are wrong. */
function problemsOfData(data: Wire): string[] {
  if (data === undefined) return [];
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [`data is no object: ${data}`];
  const { fieldViolations = [], ...facts } = data;
  const texts = [...Object.values(facts), ...fieldViolations.flatMap((violation: Wire) => Object.values(violation))];
  return texts.every((text) => typeof text === 'string') ? [] : [`data has more than texts: ${JSON.stringify(data)}`];
}

function onlyMembers(value: Wire, required: readonly string[], optional: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${value} is no object`];
  const names = Object.keys(value);
  return [
    ...names.filter((name) => ![...required, ...optional].includes(name)).map((name) => `unknown member ${name}`),
    ...required.filter((name) => !names.includes(name)).map((name) => `missing member ${name}`),
  ];
}

/** What is wrong with a `google.rpc.Status`. */
function problemsOfStatus(http: number, status: Wire): string[] {
  const members = onlyMembers(status, ['code', 'status', 'message', 'details']);
  if (members.length > 0) return members;
  const problems = problemsOfDetails(status.details);
  if (status.code !== http) problems.push(`the code is ${status.code}, the status ${http}`);
  if (!GRPC_NAMES.has(status.status)) problems.push(`${status.status} is no name of a gRPC code`);
  return problems;
}

/** What is wrong with a JSON-RPC error object, and with its data. */
function problemsOfRpcError(error: Wire, problemsOf: (data: Wire) => string[]): string[] {
  const members = onlyMembers(error, ['code', 'message'], ['data']);
  return members.length > 0 || error.data === undefined ? members : problemsOf(error.data);
}

/** What is wrong with the body of an error: nothing, if it has the shape of the form. */
export function problemsOfError(form: Form, http: number, body: Wire): string[] {
  const problems = problemsOfBody(form, http, body);
  if (problems.length > 0) return problems;
  const { code, message } = form.binding === 'rest' && form.version === '0.3' && !form.wrapsErrors ? body : body.error;
  if (!Number.isInteger(code)) problems.push(`the code is ${code}`);
  if (typeof message !== 'string' || message === '') problems.push('there is no message');
  return problems;
}

function problemsOfBody(form: Form, http: number, body: Wire): string[] {
  if (form.binding === 'jsonrpc') {
    const outer = onlyMembers(body, ['jsonrpc', 'id', 'error']);
    if (outer.length > 0) return outer;
    if (body.jsonrpc !== '2.0') return ['it is not of JSON-RPC 2.0'];
    return problemsOfRpcError(body.error, form.version === '1.0' ? problemsOfDetails : () => ['0.3 has no data']);
  }
  if (form.version === '1.0') return [...onlyMembers(body, ['error']), ...problemsOfStatus(http, body?.error)];
  if (form.wrapsErrors) return [...onlyMembers(body, ['error']), ...problemsOfRpcError(body?.error, problemsOfData)];
  const union = onlyMembers(body, ['error', 'type', 'code', 'message']);
  if (union.length > 0) return union;
  if (!/^[A-Za-z]+Error$/.test(body.type)) union.push(`the type is ${body.type}`);
  if (body.error.message !== body.message) union.push('it has two messages');
  return [...union, ...problemsOfStatus(http, body.error)];
}

const FINDING = /^(\S+) ((?:must|is required)\b.*)$/;

/** The fields that an error names: in its details, or where it has none (0.3 over JSON-RPC) in its message. */
function violationsIn(form: Form, error: Wire): readonly Wire[] {
  if (form.version === '0.3' && form.binding === 'jsonrpc') {
    const [, findings = ''] = /^Invalid parameters: (.*)$/s.exec(error.message) ?? [];
    return findings.split('; ').flatMap((finding) => {
      const [, field, description] = FINDING.exec(finding) ?? [];
      return field ? [{ field, description }] : [];
    });
  }
  if (error.data && !Array.isArray(error.data)) return error.data.fieldViolations ?? [];
  const details: readonly Wire[] = error.details ?? error.data ?? [];
  return details.flatMap((detail) => detail.fieldViolations ?? []);
}

/** The text of an answer; an error that is sent as the only event of a stream counts like any other (v03 §4). */
async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return text;
  const [data, ...more] = text.split('\n').filter((line) => line.startsWith('data: '));
  expect(more).toEqual([]);
  return (data ?? '').slice('data: '.length);
}

/** Reads an error and fails the test unless it has exactly the shape of the form. */
export async function refusalOf(form: Form, response: Response, id: unknown = REQUEST_ID): Promise<Refusal> {
  const type = response.headers.get('content-type') ?? '';
  expect(type).toMatch(/^(application\/json|text\/event-stream)(;|$)/);
  const text = await textOf(response);
  expect(text.length, 'the size of the answer').toBeLessThan(LONGEST_ERROR);
  const body: Wire = JSON.parse(text);
  expect(problemsOfError(form, response.status, body), text).toEqual([]);
  if (form.binding === 'jsonrpc') expect(body.id, text).toBe(id);
  const { error } = body;
  const violations = violationsIn(form, error);
  return {
    http: response.status,
    code: body.code ?? error.code,
    grpc: error.status,
    message: error.message,
    fields: violations.map(({ field }) => field),
    descriptions: violations.map(({ description }) => description),
    size: text.length,
  };
}

/** How the form says this error. */
export function numbersOf(form: Form, name: ErrorName): Pick<Refusal, 'http' | 'code' | 'grpc'> {
  const { rpc, rpcStatus, http, grpc } = ERRORS[name];
  if (form.binding === 'jsonrpc') return { http: rpcStatus, code: rpc, grpc: undefined };
  if (form.version === '1.0') return { http, code: http, grpc };
  return { http, code: rpc, grpc: form.wrapsErrors ? undefined : grpc };
}

/** Fails the test unless the answer is this error, in the shape of the form, for exactly these fields. */
export async function expectRefusal(
  form: Form,
  response: Response,
  name: ErrorName,
  fields: readonly string[] = [],
  id: unknown = REQUEST_ID,
): Promise<Refusal> {
  const refusal = await refusalOf(form, response, id);
  const { http, code, grpc } = refusal;
  expect({ http, code, grpc, fields: refusal.fields }, refusal.message).toEqual({ ...numbersOf(form, name), fields });
  for (const description of refusal.descriptions) expect(description).toMatch(/^(must|is required)\b/);
  for (const field of fields) expect(refusal.message).toContain(field);
  return refusal;
}
