import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';

/**
 * An agent of JAF, written from its document alone and without any of our code: it demands what the document requires,
 * answers with nothing else than the document shows, and knows no method beside the four.
 */
export async function documentServer(): Promise<{ readonly url: string; readonly requests: Wire[] }> {
  const requests: Wire[] = [];
  const tasks = new Map<string, Wire>();
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.method === 'GET') {
      sendCard(request, response, `http://127.0.0.1:${port}`);
      return;
    }
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
    });
    request.on('end', () => {
      const body = JSON.parse(text);
      requests.push({ headers: request.headers, body });
      answer(body, response, tasks);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function sendCard({ url }: IncomingMessage, response: ServerResponse, base: string): void {
  const isCard = url === '/.well-known/agent-card' || url === '/a2a/agents/MathTutor/card';
  response.writeHead(isCard ? 200 : 404, { 'content-type': 'application/json' });
  const card = {
    name: 'MathTutor',
    description: 'Specialized mathematical assistant',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `${base}/a2a/agents/MathTutor`,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: true,
      contextAccumulation: true,
    },
    skills: [
      {
        id: 'calculate',
        name: 'Mathematical Calculation',
        description: 'Perform arithmetic and algebraic calculations',
        tags: ['math'],
        examples: [{ input: 'What is 15 * 7?', output: '15 * 7 = 105' }],
      },
    ],
    inputModes: ['text', 'data'],
    outputModes: ['text', 'data'],
    authentication: { required: false, schemes: ['bearer', 'apikey'] },
    rateLimit: { requests: 100, window: 60, burst: 20 },
  };
  response.end(isCard ? JSON.stringify(card) : '{"detail":"Not Found"}');
}

const NOW = '2024-03-15T14:30:05Z';
let count = 0;

function answer({ id, method, params }: Wire, response: ServerResponse, tasks: Map<string, Wire>): unknown {
  const reply = (rest: Wire): unknown => {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
  };
  const fail = (code: number, message: string, data: Wire = {}) => reply({ error: { code, message, data } });
  switch (method) {
    case 'message/send':
    case 'message/stream': {
      const problem = problemOf(params?.message);
      if (problem) return fail(-32602, problem);
      count += 1;
      const { contextId, parts } = params.message;
      const question = parts.map((part: Wire) => part.text ?? '').join('');
      if (question === 'limit') return fail(-32003, 'Too many requests');
      if (question === 'slow') return fail(-32006, 'Request processing timeout');
      const task = { id: `task-${count}`, contextId, text: `Answer to ${question}`, state: 'completed' };
      tasks.set(task.id, task);
      if (question === 'wait') task.state = 'working';
      const completion = { kind: 'completion', taskId: task.id, contextId, message: messageOf(task), final: true };
      return method === 'message/send' ? reply({ result: completion }) : stream(id, task, response);
    }
    case 'tasks/get': {
      const task = tasks.get(params.id);
      if (!task) return fail(-32001, 'Task not found');
      const status = { state: task.state, message: messageOf(task), timestamp: NOW };
      return reply({ result: { id: task.id, contextId: task.contextId, kind: 'task', status } });
    }
    case 'tasks/cancel': {
      const task = tasks.get(params.id);
      if (!task) return fail(-32001, 'Task not found');
      task.state = 'cancelled';
      return reply({ result: { id: task.id, cancelled: true, timestamp: NOW } });
    }
    default:
      return fail(-32601, 'Unknown method');
  }
}

/** What the document requires of a message. */
function problemOf(message: Wire): string | undefined {
  if (!message) return 'message is missing';
  if (!['user', 'agent', 'system'].includes(message.role)) return 'role';
  if (!Array.isArray(message.parts) || message.parts.length === 0) return 'parts';
  if (typeof message.messageId !== 'string') return 'messageId';
  if (typeof message.contextId !== 'string') return 'contextId';
  return message.kind === 'message' ? undefined : 'kind';
}

function messageOf({ text, contextId }: Wire): Wire {
  return { role: 'agent', parts: [{ kind: 'text', text }], messageId: 'resp-1', contextId, kind: 'message' };
}

function stream(id: Wire, task: Wire, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (event: string, result: Wire) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  const taskId = task.id;
  send('status-update', {
    kind: 'status-update',
    taskId,
    status: { state: 'working', timestamp: '2024-03-15T14:30:01Z' },
    final: false,
  });
  if (task.text.endsWith('break')) {
    const error = { code: -32603, message: 'It broke' };
    response.end(`event: error\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
    task.state = 'failed';
    return;
  }
  for (const length of [3, 6, 9]) {
    const message = messageOf({ ...task, text: task.text.slice(0, length) });
    send('partial-completion', { kind: 'partial-completion', taskId, message, final: false });
  }
  send('completion', { kind: 'completion', taskId, message: messageOf(task), final: true });
  response.end();
}
