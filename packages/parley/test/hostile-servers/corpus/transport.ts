import { answers, beginStream, frameOf, showsTask, streams, taskOf, turns } from '../frames.ts';
import { connect, getTask, type HostileEntry, send } from './entry.ts';

const YEAR_SECONDS = String(365 * 24 * 3600);
const JSON_TYPE = { 'content-type': 'application/json' };
const redirects =
  (location: string, status = 307) =>
  ({ response }: { response: import('node:http').ServerResponse }) =>
    void response.writeHead(status, { location }).end();

/** Servers that misuse HTTP. */
export const TRANSPORT: readonly HostileEntry[] = [
  {
    name: 'a redirect of a message to another origin',
    attack: redirects('http://192.0.2.1/'),
    call: send,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a redirect of a message that would lose it',
    attack: redirects('/elsewhere', 303),
    call: send,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a redirect to a file',
    serveCard: redirects('file:///etc/passwd', 302),
    call: connect,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 3,
  },
  {
    name: 'a redirect to nothing',
    serveCard: redirects('http://', 302),
    call: connect,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 3,
  },
  {
    name: 'redirects in a circle',
    serveCard: (attack) => redirects(attack.request.url ?? '', 302)(attack),
    call: connect,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 18,
  },
  {
    name: 'calls that are redirected in a circle',
    attack: redirects('/rpc'),
    call: send,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 8,
  },
  {
    name: 'a page',
    attack: ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a picture',
    attack: ({ response }) => void response.writeHead(200, { 'content-type': 'image/png' }).end('{'),
    call: getTask,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a task in the place of a stream',
    attack: (attack) => answers(attack, showsTask('COMPLETED')),
    gives: { kinds: ['task'] },
    mostRequests: 2,
  },
  {
    name: 'a connection that is half closed in the middle of a response',
    attack: ({ response, socket }) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"jsonrpc":', () => socket.end());
    },
    call: getTask,
    fails: ['UNREACHABLE'],
    mostRequests: 3,
  },
  {
    name: 'a connection that is half closed in the middle of a stream, again and again',
    attack: (attack) => {
      if (attack.method === 'GetTask') return answers(attack, taskOf('WORKING'));
      beginStream(attack);
      attack.response.write(frameOf(attack, showsTask('WORKING')), () => attack.socket.end());
    },
    fails: ['STREAM_INTERRUPTED'],
    mostRequests: 14,
  },
  {
    name: 'a response that never comes',
    attack: () => {},
    call: (client) => client.getTask('t', { timeout: 300 }),
    fails: ['TIMEOUT'],
    mostRequests: 2,
  },
  {
    name: 'a body that never comes',
    attack: ({ response }) => response.writeHead(200, JSON_TYPE).flushHeaders(),
    call: (client) => client.getTask('t', { timeout: 300 }),
    fails: ['TIMEOUT'],
    mostRequests: 2,
  },
  {
    name: 'a stream that is silent',
    attack: (attack) => {
      if (attack.method === 'GetTask') return answers(attack, taskOf('WORKING'));
      beginStream(attack);
      attack.response.write(frameOf(attack, showsTask('WORKING')));
    },
    options: { reconnect: { attempts: 1, firstDelay: 1, longestDelay: 1, idleTimeout: 200 } },
    fails: ['STREAM_INTERRUPTED'],
    mostRequests: 10,
  },
  {
    name: '401 whatever is shown',
    attack: ({ response }) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    options: { credentials: () => crypto.randomUUID() },
    call: send,
    fails: ['UNAUTHENTICATED'],
    mostRequests: 4,
  },
  {
    name: '401 in the middle of a stream',
    attack: (attack) => {
      if (attack.method === 'SendStreamingMessage') streams(attack, showsTask('WORKING'));
      else attack.response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    },
    options: { credentials: () => crypto.randomUUID() },
    fails: ['STREAM_INTERRUPTED'],
    cause: 'UNAUTHENTICATED',
    mostRequests: 6,
  },
  {
    name: 'Retry-After of a year',
    attack: ({ response }) => void response.writeHead(503, { 'retry-after': YEAR_SECONDS }).end(),
    call: send,
    fails: ['UNAVAILABLE'],
    mostRequests: 2,
  },
  {
    name: 'a card with Retry-After of a year',
    serveCard: ({ response }) => void response.writeHead(429, { 'retry-after': YEAR_SECONDS }).end(),
    call: connect,
    fails: ['UNAVAILABLE'],
    mostRequests: 2,
  },
  {
    name: 'one event in each connection',
    attack: (attack) => {
      if (attack.method === 'SendStreamingMessage') streams(attack, showsTask('WORKING'), turns('WORKING'));
      else if (attack.method === 'GetTask') answers(attack, taskOf('WORKING'));
      else streams(attack, showsTask('WORKING'));
    },
    fails: ['STREAM_INTERRUPTED'],
    mostRequests: 14,
  },
];
