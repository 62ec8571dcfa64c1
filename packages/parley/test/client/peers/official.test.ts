import { A2AClient, bytes, json, link, text, textOf } from 'parley-a2a';
import { expect, it } from 'vitest';
import { textOfScript } from '../../crash/server/script-agent.ts';
import { GRPC_ROWS, matrix, ROWS } from '../../interop/support/rows.ts';
import { startOfficialWith } from '../support/official.ts';

matrix(
  ({ version, binding }) => {
    async function connected() {
      const { url } = await startOfficialWith({ grpc: binding === 'GRPC' });
      return A2AClient.connect(url, { prefer: { version, binding } });
    }

    it('picks the interface that was asked for [rule:version.client-per-interface]', async () => {
      const agent = await connected();
      expect(agent.interface).toMatchObject({ protocolBinding: binding });
      expect(agent.card).toMatchObject({ name: 'official', capabilities: { streaming: true } });
    });

    it('sends and gets', async () => {
      const agent = await connected();
      const task = await agent.sendMessage('count 5');
      expect(textOf(task)).toBe(textOfScript('count 5'));
      expect(task).toMatchObject({ status: { state: 'completed' } });
      const { id } = task as { id: string };
      expect(await agent.getTask(id)).toMatchObject({ id, status: { state: 'completed' } });
      expect((await agent.getTask(id, 0)).history).toEqual([]);
      await expect(agent.getTask('unknown')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    });

    it('sends every kind of part', async () => {
      const agent = await connected();
      const parts = [
        text('count 1'),
        bytes('hi', { mediaType: 'text/plain', filename: 'a.txt' }),
        link('https://a.example/b'),
        json({ a: [1] }),
      ];
      const task = await agent.sendMessage(parts);
      expect(textOf(task)).toBe(textOfScript('count 1'));
    });

    it('takes a message for an answer', async () => {
      const agent = await connected();
      expect(textOf(await agent.sendMessage('reply'))).toBe('Hello');
      expect(await agent.run('reply')).toBe('Hello');
      const stream = agent.sendMessageStream('reply');
      expect(await stream.result).toMatchObject({ role: 'agent' });
      await expect(stream.task).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    });

    it('streams', async () => {
      const agent = await connected();
      const stream = agent.sendMessageStream('count 20 3');
      let streamed = '';
      for await (const piece of stream.textStream) streamed += piece;
      expect(streamed).toBe(textOfScript('count 20 3'));
      const task = await stream.task;
      expect(task.status.state).toBe('completed');
      expect((await agent.getTask(task.id)).artifacts).toEqual(task.artifacts);
      expect(await agent.run('count 3')).toBe(textOfScript('count 3'));
    });

    it('goes on after a question', async () => {
      const agent = await connected();
      const first = await agent.sendMessageStream('require 2').task;
      expect(first.status).toMatchObject({ state: 'input-required' });
      const second = await agent.sendMessageStream('count 3', { taskId: first.id, contextId: first.contextId }).task;
      expect(second).toMatchObject({ id: first.id, status: { state: 'completed' } });
      await expect(agent.run('require 1')).rejects.toMatchObject({
        code: 'TASK_NOT_COMPLETED',
        task: { status: { state: 'input-required' } },
      });
      await expect(agent.run('fail 1')).rejects.toMatchObject({
        code: 'TASK_NOT_COMPLETED',
        message: 'The task is failed: It broke',
      });
    });

    it('cancels [rule:cancel.client-both]', async () => {
      const agent = await connected();
      const stream = agent.sendMessageStream('hang 2');
      const canceled = await stream.cancel();
      expect(canceled.status.state).toBe('canceled');
      expect((await stream.task).status.state).toBe('canceled');
      expect((await agent.cancelTask(canceled.id)).status.state).toBe('canceled');
      const done = await agent.sendMessage('count 1');
      await expect(agent.cancelTask((done as { id: string }).id)).rejects.toMatchObject({
        code: 'TASK_NOT_CANCELABLE',
      });
    });

    it('subscribes', async () => {
      const agent = await connected();
      const started = agent.sendMessageStream('count 60 2');
      const id = await started.id;
      const task = await agent.subscribe(id).task;
      expect(textOf(task)).toBe(textOfScript('count 60 2'));
      expect(task.status.state).toBe('completed');
      expect((await started.task).status.state).toBe('completed');
      await expect(agent.subscribe(id).task).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
      await expect(agent.subscribe('unknown').task).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    });

    it('keeps webhooks', async () => {
      const agent = await connected();
      const { id } = (await agent.sendMessage('count 1')) as { id: string };
      const config = { id: 'hook', url: 'https://hooks.example/a', token: 'secret' };
      expect(await agent.createPushConfig(id, config)).toMatchObject(config);
      expect(await agent.getPushConfig(id, 'hook')).toMatchObject(config);
      expect((await agent.listPushConfigs(id)).configs).toMatchObject([config]);
      await agent.deletePushConfig(id, 'hook');
      expect((await agent.listPushConfigs(id)).configs).toEqual([]);
    });

    it('lists, where the version can', async () => {
      const agent = await connected();
      for (let index = 0; index < 5; index += 1) await agent.sendMessage('count 1');
      if (version === '0.3') {
        await expect(agent.listTasks()).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
        return;
      }
      expect((await agent.listTasks({ pageSize: 2 })).tasks).toHaveLength(2);
      const ids: string[] = [];
      for await (const task of agent.listTasks({ pageSize: 2, includeArtifacts: true }))
        ids.push(`${task.id} ${textOf(task)}`);
      expect(new Set(ids).size).toBe(5);
    });

    it('says what the server does not have', async () => {
      const agent = await connected();
      await expect(agent.extendedCard()).rejects.toMatchObject({ name: 'A2AError' });
    });
  },
  [...ROWS, ...GRPC_ROWS],
);
