import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sendParams } from '../support/rpc.ts';
import { pause } from '../support/script.ts';
import { FORMS } from './support/all-forms.ts';
import { sendBody } from './support/forms.ts';
import { JSONRPC_V1 } from './support/forms-v1.ts';
import { head } from './support/raw-socket.ts';
import { listenSubject, postHead, type SocketSubject } from './support/socket-subject.ts';

const NOTHING = { tasks: 0, feeds: 0, subscriptions: 0 };
const V1 = 'A2A-Version: 1.0';

/** Opens a connection, writes, and goes away at once or a little later. */
async function hitAndRun(subject: SocketSubject, bytes: string, index: number): Promise<void> {
  const connection = await subject.connect();
  connection.write(bytes);
  if (index % 3 === 0) await pause(index % 7);
  if (index % 2 === 0) connection.socket.destroy();
  else connection.socket.resetAndDestroy();
}

it('stays up when 200 clients open a connection and close it in the middle of a request [rule:errors.validate-first]', async () => {
  const subject = await listenSubject();
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const form = FORMS[index % FORMS.length] ?? JSONRPC_V1;
      const body = sendBody(form);
      const whole = postHead(form, [`Content-Length: ${body.length + 1}`]) + body;
      return hitAndRun(subject, whole.slice(0, Math.ceil((whole.length * (index + 1)) / 200)), index);
    }),
  );
  await subject.expectNothingStarted();
  await subject.expectHealthy();
});

it('finishes the work of clients that do not wait for the answer, and holds nothing of them', async () => {
  const subject = await listenSubject();
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const connection = await subject.connect();
      const method = index % 2 === 0 ? 'SendMessage' : 'SendStreamingMessage';
      const body = JSON.stringify({ jsonrpc: '2.0', id: index, method, params: sendParams(`text ${index}`) });
      connection.write(postHead(JSONRPC_V1, [`Content-Length: ${body.length}`]) + body);
      await pause(1);
      connection.socket.resetAndDestroy();
    }),
  );
  await eventually(() => subject.server.load).toEqual(NOTHING);
  const { totalSize } = await subject.peer.call('ListTasks');
  expect((await subject.peer.call('ListTasks', { status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(totalSize);
  expect(subject.runs()).toBe(totalSize);
  await subject.expectHealthy();
});

it('frees the streams of clients that go away, whatever verb they used', async () => {
  const subject = await listenSubject();
  const { id } = await subject.peer.send('ask');
  const open = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const connection = await subject.connect();
      const verb = ['GET', 'POST', 'HEAD'][index % 3];
      connection.write(head(`${verb} /a2a/tasks/${id}:subscribe HTTP/1.1`, [V1]));
      await expect.poll(() => connection.received).toContain('\r\n\r\n');
      return connection;
    }),
  );
  for (const connection of open) connection.socket.resetAndDestroy();
  await eventually(() => subject.server.load).toEqual(NOTHING);
  await subject.expectHealthy();
});

it('answers HEAD for a stream at once and goes on with the next request of the connection', async () => {
  const subject = await listenSubject();
  const { id } = await subject.peer.send('ask');
  const connection = await subject.connect();
  connection.write(head(`HEAD /a2a/tasks/${id}:subscribe HTTP/1.1`, [V1]) + head('GET /a2a/tasks HTTP/1.1', [V1]));
  await eventually(() => connection.received).toContain('"totalSize":1');
  await eventually(() => subject.server.load).toEqual(NOTHING);
});

it('is not held up by connections that say nothing', async () => {
  const subject = await listenSubject();
  const body = sendBody(JSONRPC_V1);
  const silent = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const connection = await subject.connect();
      const whole = postHead(JSONRPC_V1, [`Content-Length: ${body.length}`]) + body;
      connection.write(whole.slice(0, index % 2 === 0 ? index : whole.length - 1));
      return connection;
    }),
  );
  for (let round = 0; round < 20; round += 1) {
    expect((await subject.peer.send(`round ${round}`)).status.state).toBe('TASK_STATE_COMPLETED');
  }
  expect(subject.runs()).toBe(20);
  for (const connection of silent) connection.socket.destroy();
  await subject.expectHealthy();
});

it('does not wait for silent connections when it closes', async () => {
  const subject = await listenSubject();
  const body = sendBody(JSONRPC_V1);
  const connection = await subject.connect();
  connection.write(postHead(JSONRPC_V1, [`Content-Length: ${body.length}`]) + body.slice(0, -1));
  await pause(10);
  const before = performance.now();
  await subject.server.close();
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(await connection.closed()).toBe(true);
  expect(subject.runs()).toBe(0);
});
