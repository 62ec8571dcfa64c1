import { expectError } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { eachOf } from '../../seen.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { readAnswer } from '../../wire/caller.ts';
import {
  A2A_ERRORS,
  type A2AReason,
  BAD_REQUEST,
  DOMAIN,
  detailOf,
  ERROR_INFO,
  isError,
  isReason,
  reasonOf,
  type WireError,
} from '../../wire/errors.ts';
import { type Exchange, mediaTypeOf } from '../../wire/exchange.ts';
import { isObject, listAt, memberOf, textAt } from '../../wire/json.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

/** Every error of the protocol that was seen. A web server's own, such as a 401 without a body, is none. */
export function* seenErrors(probe: Probe): Generator<readonly [WireError, Exchange]> {
  for (const exchange of probe.caller.exchanges) {
    const { error } = readAnswer(exchange, probe.binding);
    const isText = probe.binding === 'grpc' || /json$|event-stream/.test(mediaTypeOf(exchange));
    const isOfProtocol = error !== undefined && isObject(error.body) && isText;
    if (isOfProtocol && ![401, 403, 413, 415, 429, 503].includes(exchange.got?.status ?? 0)) yield [error, exchange];
  }
}

/** The errors that name one of the protocol's errors as their reason. */
function* namedErrors(probe: Probe): Generator<readonly [WireError, Exchange, A2AReason]> {
  for (const [error, exchange] of seenErrors(probe)) {
    const reason = reasonOf(error);
    if (isReason(reason)) yield [error, exchange, reason];
  }
}

/** The errors whose code or status says which of the protocol's errors they are. */
function isA2A(error: WireError): boolean {
  if (isReason(reasonOf(error))) return true;
  return error.code !== undefined && Object.values(A2A_ERRORS).some(({ code }) => code === error.code);
}

function checkInfo(error: WireError, exchange: Exchange): void {
  const info = detailOf(error, ERROR_INFO);
  if (info === undefined) fail('the error has no ErrorInfo', exchange);
  if (textAt(info, 'domain') !== DOMAIN) fail(`the domain is ${JSON.stringify(memberOf(info, 'domain'))}`, exchange);
  const reason = textAt(info, 'reason');
  if (reason === undefined || !/^[A-Z][A-Z\d_]*$/.test(reason))
    fail(`the reason is ${JSON.stringify(reason)}`, exchange);
}

/** The details of a status have its code and its text once more (reference: v1-bindings §7). */
function checkDetails({ body, details }: WireError, exchange: Exchange): void {
  if (details === undefined) return;
  const code = memberOf(body, 'code');
  if (code !== exchange.got?.grpc)
    fail(`the status is ${exchange.got?.grpc}, that of its details ${String(code)}`, exchange);
}

export const ERRORS: readonly Rule[] = [
  {
    id: 'errors.code-message',
    observed(probe) {
      for (const [error, exchange] of eachOf(seenErrors(probe), 'error of the protocol')) {
        const code = memberOf(error.body, 'code');
        if (typeof code !== 'number') fail('an error has no code', exchange);
        if (!error.message) fail('an error has no message', exchange);
        const details = Array.isArray(error.details) ? error.details : [];
        if (details.some((detail) => textAt(detail, '@type') === undefined)) fail('a detail has no @type', exchange);
      }
    },
  },
  {
    id: 'errors.info',
    async check(probe) {
      const { error, exchange } = await probe.call('get', { taskId: UNKNOWN_TASK });
      if (error === undefined) skip('no error came');
      checkInfo(error, exchange);
      for (const [other, where] of seenErrors(probe)) if (isA2A(other)) checkInfo(other, where);
    },
  },
  {
    id: 'errors.info-jsonrpc',
    async check(probe) {
      const { error, exchange } = await probe.call('get', { taskId: UNKNOWN_TASK });
      if (error === undefined) skip('no error came');
      checkInfo(error, exchange);
    },
  },
  {
    id: 'errors.jsonrpc-codes',
    observed(probe) {
      for (const [error, exchange, reason] of eachOf(namedErrors(probe), 'error of A2A')) {
        const { code } = A2A_ERRORS[reason];
        if (error.code !== code) fail(`${reason} has the code ${error.code} instead of ${code}`, exchange);
      }
    },
  },
  {
    id: 'errors.http-status',
    observed(probe) {
      for (const [error, exchange, reason] of eachOf(namedErrors(probe), 'error of A2A')) {
        const { http } = A2A_ERRORS[reason];
        if (error.status !== http) fail(`${reason} has the HTTP status ${error.status} instead of ${http}`, exchange);
      }
    },
  },
  {
    id: 'errors.grpc-status',
    async check(probe) {
      const asked = await probe.call('get', { taskId: UNKNOWN_TASK });
      if (asked.error === undefined) skip('no error came');
      for (const [error, exchange] of seenErrors(probe)) checkDetails(error, exchange);
      for (const [error, exchange, reason] of eachOf(namedErrors(probe), 'error of A2A')) {
        const { grpc } = A2A_ERRORS[reason];
        if (error.grpc !== grpc) fail(`${reason} has the status ${error.grpc} instead of ${grpc}`, exchange);
      }
    },
  },
  {
    id: 'errors.fields',
    async check(probe) {
      const params = { message: { messageId: 'check', role: 'ROLE_USER', parts: [] } };
      const { error, exchange } = await probe.call('send', { params, odd: true });
      if (error === undefined) skip('the wrong message was not refused');
      const fields = listAt(detailOf(error, BAD_REQUEST), 'fieldViolations') ?? [];
      const isNamed = fields.some((field) => (textAt(field, 'field') ?? '').includes('parts'));
      if (!isNamed) fail('the error does not name the failing field message.parts', exchange);
    },
  },
  {
    id: 'errors.validate-first',
    async check(probe) {
      const contextId = `check-${crypto.randomUUID()}`;
      const params = probe.sendParams({ text: 'Hello' }, { message: { contextId } });
      const parts = probe.form === '0.3 proto' ? { content: [] } : { parts: [] };
      const answer = await probe.call('send', {
        params: { ...params, message: { ...(params.message as object), ...parts } },
        odd: true,
      });
      if (answer.error === undefined) skip('the wrong message was not refused');
      const lister =
        [probe, ...probe.siblings].find(({ version }) => version === '1.0') ?? skip('no interface lists tasks');
      const listed = await lister.call('list', { params: { contextId } });
      if (listed.error !== undefined) skip('tasks could not be listed');
      if ((listAt(listed.result, 'tasks') ?? []).length > 0)
        fail('a refused message made a task', answer.exchange, listed.exchange);
    },
  },
  {
    id: 'errors.challenge',
    async check(probe) {
      const refused = probe.caller.exchanges.find(({ got }) => got?.status === 401);
      const exchange =
        refused ??
        (
          await probe.caller.read(
            { ...(await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK })), headers: {} },
            { odd: true },
          )
        ).exchange;
      if (exchange.got?.status !== 401) inapplicable('nothing was refused with 401');
      if (exchange.got.headers['www-authenticate'] === undefined) fail('a 401 has no WWW-Authenticate', exchange);
    },
  },
  {
    id: 'errors.equivalent',
    async check(probe) {
      if (probe.siblings.length === 0) inapplicable('there is one interface only');
      expectError(await probe.call('cancel', { taskId: UNKNOWN_TASK }), 'TASK_NOT_FOUND');
      for (const other of probe.siblings) {
        const { error, exchange } = await other.call('cancel', { taskId: UNKNOWN_TASK });
        if (error === undefined || !isError(error, 'TASK_NOT_FOUND'))
          fail('another interface gives another error', exchange);
      }
    },
  },
];
