import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as root from 'parley-a2a';
import * as auth from 'parley-a2a/auth';
import * as client from 'parley-a2a/client';
import * as compat from 'parley-a2a/compat';
import * as dialects from 'parley-a2a/dialects';
import * as express from 'parley-a2a/express';
import * as extensions from 'parley-a2a/extensions';
import * as fastify from 'parley-a2a/fastify';
import * as web from 'parley-a2a/fetch';
import * as hono from 'parley-a2a/hono';
import * as koa from 'parley-a2a/koa';
import * as llm from 'parley-a2a/llm';
import * as node from 'parley-a2a/node';
import * as oauth from 'parley-a2a/oauth';
import * as oauthNode from 'parley-a2a/oauth/node';
import * as ports from 'parley-a2a/ports';
import * as push from 'parley-a2a/push';
import * as sqlite from 'parley-a2a/sqlite';
import * as telemetry from 'parley-a2a/telemetry';
import * as testing from 'parley-a2a/testing';
import * as types from 'parley-a2a/types';
import { expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';

// A name that is exported is a promise. Adding one here is a decision; removing one breaks somebody's program.

const kinds = (module: object) =>
  Object.entries(module)
    .map(([name, value]) => `${name}: ${typeof value}`)
    .sort();

it('parley-a2a exports these values', () => {
  expect(kinds(root)).toEqual([
    'A2AClient: function',
    'A2AError: function',
    'A2AServer: function',
    'InputError: function',
    'agentResult: function',
    'authRequired: function',
    'bytes: function',
    'bytesOf: function',
    'callerTool: function',
    'chunk: function',
    'collect: function',
    'complete: function',
    'dataOf: function',
    'defineAgent: function',
    'fail: function',
    'fromExecutor: function',
    'inputRequired: function',
    'isA2AError: function',
    'isInputError: function',
    'isInterrupted: function',
    'isTask: function',
    'isTerminal: function',
    'json: function',
    'link: function',
    'memory: function',
    'reject: function',
    'reply: function',
    'serve: function',
    'taskTree: function',
    'text: function',
    'textOf: function',
    'toObservable: function',
  ]);
});

it('parley-a2a exports few enough names to be read at once', () => {
  const { names } = readReport('index');
  expect(names).toContain('TaskContext');
  expect(names.length).toBeLessThanOrEqual(80);
});

it.for(['types', 'extensions', 'ports'])('parley-a2a/%s has no name that the root has', (entry) => {
  const { names } = readReport('index');
  expect(readReport(entry).names.filter((name) => names.includes(name))).toEqual([]);
});

/** The exported names of an entry, types included, as its report has them; another test holds the reports true. */
function readReport(entry: string): { readonly names: readonly string[] } {
  const report = readFileSync(join(ROOT, `packages/parley/api/${entry}.api.md`), 'utf8');
  const names = [
    ...report.matchAll(/^export (?:declare |abstract )*(?:class|interface|type|const|function) ([\w$]+)/gm),
  ];
  return { names: [...new Set(names.map(([, name = '']) => name))] };
}

it('parley-a2a/types exports no values', () => {
  expect(kinds(types)).toEqual([]);
});

it('parley-a2a/extensions exports these values', () => {
  expect(kinds(extensions)).toEqual([
    'CALLS_EXTENSION: string',
    'COPIES_EXTENSION: string',
    'PUSH_EXTENSION: string',
    'QUESTIONS_EXTENSION: string',
    'RESUME_EXTENSION: string',
    'SKILLS_EXTENSION: string',
    'SUMMARY_EXTENSION: string',
    'TASK_AUTH_EXTENSION: string',
    'TOOLS_EXTENSION: string',
    'TRACE_EXTENSION: string',
    'childrenOf: function',
    'copySourceOf: function',
    'openQuestionsOf: function',
    'questionOf: function',
    'skillSchemasOf: function',
    'summaryOf: function',
    'taskAuthOf: function',
    'traceIdsOf: function',
  ]);
  expect(extensions.RESUME_EXTENSION).toBe('urn:parley:ext:resume:v1');
});

it('parley-a2a/client exports these values: names of parley-a2a, and what its client is handed', () => {
  expect(kinds(client)).toEqual([
    'A2AClient: function',
    'A2AError: function',
    'answering: function',
    'asTool: function',
    'bytes: function',
    'bytesOf: function',
    'callerTool: function',
    'cardFaults: function',
    'clientCredentials: function',
    'collect: function',
    'dataOf: function',
    'httpJson: object',
    'isA2AError: function',
    'isInterrupted: function',
    'isTask: function',
    'isTerminal: function',
    'json: function',
    'link: function',
    'skillOf: function',
    'skillTools: function',
    'taskTree: function',
    'text: function',
    'textOf: function',
    'toObservable: function',
  ]);
  const handed = ['answering', 'asTool', 'cardFaults', 'clientCredentials', 'httpJson', 'skillOf', 'skillTools'];
  expect(
    Object.keys(client)
      .filter((name) => !(name in root))
      .toSorted(),
  ).toEqual(handed);
});

it('parley-a2a/compat exports these values, all names of the seed S3 [seed:S3.2]', () => {
  expect(kinds(compat)).toEqual([
    'A2AClient: function',
    'A2AServer: function',
    'InMemoryTaskStore: function',
    'TERMINAL_STATES: object',
    'TaskManager: function',
    'contentTypeNotSupported: function',
    'createErrorResponse: function',
    'createSuccessResponse: function',
    'fromTaskStore: function',
    'generateAgentCard: function',
    'internalError: function',
    'invalidAgentResponse: function',
    'invalidParams: function',
    'invalidRequest: function',
    'isValidRequest: function',
    'methodNotFound: function',
    'parseError: function',
    'parseJsonRpcRequest: function',
    'pushNotificationsNotSupported: function',
    'taskNotCancelable: function',
    'taskNotFound: function',
    'unsupportedOperation: function',
  ]);
});

it('parley-a2a/dialects exports these values', () => {
  expect(kinds(dialects)).toEqual([
    'banterop: object',
    'cogitator: object',
    'draft: object',
    'jaf: object',
    'rxjs: object',
    'v0_3: object',
    'v1_0: object',
  ]);
});

it('parley-a2a/sqlite exports these values', () => {
  expect(kinds(sqlite)).toEqual(['StoreError: function', 'isStoreError: function', 'sqlite: function']);
});

it('parley-a2a/auth exports the authenticators and what helps to write one', () => {
  expect(kinds(auth)).toEqual([
    'apiKeys: function',
    'basic: function',
    'combine: function',
    'custom: function',
    'forbidden: function',
    'hashKey: function',
    'hashPassword: function',
    'jwt: function',
    'mtls: function',
    'validated: function',
    'wrongCredential: function',
  ]);
});

it('parley-a2a/oauth exports the credentials and the flows', () => {
  expect(kinds(oauth)).toEqual([
    'authorizationCode: function',
    'clientCredentialsFlow: object',
    'deviceCode: function',
    'oauth: function',
  ]);
  expect(kinds(oauthNode)).toEqual(['loopback: function']);
});

it('parley-a2a/ports exports the types of the ports, and these values', () => {
  expect(kinds(ports)).toEqual([
    'EventTexts: function',
    'LiveStream: function',
    'StoreError: function',
    'flexibleRates: function',
    'isStoreError: function',
    'isStreamCall: function',
    'readJson: function',
    'refusalStatusOf: function',
    'withStore: function',
  ]);
});

it('parley-a2a/llm exports these values', () => {
  expect(kinds(llm)).toEqual([
    'a2aModel: function',
    'callerTools: function',
    'llmAgent: function',
    'modelFromEnvironment: function',
  ]);
});

it('parley-a2a/telemetry exports these values', () => {
  expect(kinds(telemetry)).toEqual(['startOpenTelemetry: function', 'traceHeaders: function']);
});

it('parley-a2a/push exports what senders and receivers of webhooks need', () => {
  expect(kinds(push)).toEqual([
    'OutboundError: function',
    'OutboundGuard: function',
    'PushError: function',
    'RecentPushes: function',
    'isOutboundError: function',
    'isPushError: function',
    'newPushKeys: function',
    'newPushSecret: function',
    'publicJwkOf: function',
    'publicKeyOf: function',
    'pushReceiver: function',
    'signPush: function',
    'signPushJwt: function',
    'verifyPush: function',
  ]);
});

it('parley-a2a/testing exports these values', () => {
  expect(kinds(testing)).toEqual([
    'TestAgent: function',
    'TestClock: function',
    'a2aMatchers: object',
    'busContract: function',
    'checkCluster: function',
    'checkClusterLog: function',
    'fakeAgent: function',
    'faulty: function',
    'readToEnd: function',
    'record: function',
    'recordedClient: function',
    'replay: function',
    'runClusterClients: function',
    'settled: function',
    'storeContract: function',
    'testAgent: function',
  ]);
});

it('the adapters export one value each, and that of Node what only Node needs', () => {
  const modules = [express, fastify, hono, koa, node, web];
  expect(modules.flatMap(kinds)).toEqual([
    'a2aExpress: function',
    'a2aFastify: function',
    'a2aHono: function',
    'a2aKoa: function',
    'a2aNode: function',
    'closeOnSignals: function',
    'logStrayErrors: function',
    'a2aFetch: function',
  ]);
});
