import { A2AClient, A2AServer, type InputQuestion } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { expenses } from './expenses.ts';
import { fileExpense } from './file-expense.ts';

async function connected(): Promise<A2AClient> {
  const server = new A2AServer({ agents: [expenses], drainTimeout: 0 });
  onTestFinished(() => server.close());
  return A2AClient.connect('http://localhost', { fetch: (input, init) => server.fetch(new Request(input, init)) });
}

/** A person who says these things one after the other. */
function person(...lines: readonly string[]) {
  const heard: InputQuestion[] = [];
  const says = async (question: InputQuestion) => {
    heard.push(question);
    return lines[heard.length - 1] ?? '';
  };
  return { heard, says };
}

const receipts = { 'train.pdf': 89.9, 'lunch.jpg': 12 };

it('files what was approved, with the receipt that the caller found', async () => {
  const { heard, says } = person('about ninety', '89.90', 'approve');
  expect(await fileExpense(await connected(), 'a train to Bern', receipts, says)).toBe(
    'Expense: a train to Bern, 89.90 € (train.pdf)\nFiled.',
  );
  expect(heard.map(({ prompt }) => prompt)).toEqual([
    'How much was it, in euros?',
    'How much was it, in euros?',
    'May I file 89.90 € for a train to Bern?',
  ]);
  expect(heard[1]?.problem).toBe('answer: must be a number');
  expect(heard[2]?.choices).toEqual([{ value: 'approve' }, { value: 'reject' }]);
});

it('files nothing that was not', async () => {
  const { says } = person('7', 'reject');
  await expect(fileExpense(await connected(), 'a coffee', receipts, says)).rejects.toMatchObject({
    code: 'TASK_NOT_COMPLETED',
    task: { status: { state: 'rejected' } },
  });
});

it('serves those who only know texts as well', async () => {
  const agent = await connected();
  const first = await agent.sendMessageStream('lunch').task;
  const second = await agent.sendMessageStream('12', { taskId: first.id }).task;
  const done = await agent.sendMessageStream('1', { taskId: second.id }).task;
  expect(done.artifacts[0]?.parts).toMatchObject([{ text: 'Expense: lunch, 12.00 € (no receipt)\nFiled.' }]);
});
