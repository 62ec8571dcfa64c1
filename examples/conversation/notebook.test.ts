import { A2AClient, A2AServer } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { notebook } from './notebook.ts';

it('knows in later tasks what came before in the same context', async () => {
  const server = await new A2AServer({ agents: [notebook] }).listen({ port: 0 });
  onTestFinished(() => server.close());
  const client = await A2AClient.connect(server.url ?? '');
  const say = (text: string, contextId = 'kitchen') => client.run(text, { contextId });
  expect(await say('notes')).toBe('No notes yet.');
  expect(await say('note buy milk')).toBe('Noted. That makes 1.');
  expect(await say('note bake bread')).toBe('Noted. That makes 2.');
  expect(await say('notes')).toBe('- buy milk\n- bake bread');
  expect(await say('what did I say?')).toBe('You said: “notes”, “note buy milk”, “note bake bread”, “notes”');
  expect(await say('notes', 'garden')).toBe('No notes yet.');
  expect(await say('forget')).toBe('Forgotten.');
  expect(await say('notes')).toBe('No notes yet.');
});
