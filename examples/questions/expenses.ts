import { defineAgent, reject } from 'parley-a2a';
import { euros } from './euros.ts';

const A_DAY = 24 * 60 * 60 * 1000;

/** Files an expense: asks for what is missing, has the caller look for the receipt, and files nothing unapproved. */
export const expenses = defineAgent({
  name: 'expenses',
  description: 'Files an expense once somebody has approved it',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    const amount = await task.ask({
      prompt: 'How much was it, in euros?',
      schema: { schema: euros, jsonSchema: { type: 'number', exclusiveMinimum: 0 } },
    });
    const canSearch = task.tools.some(({ name }) => name === 'find_receipt');
    const receipt = canSearch ? await task.tool<string | null>('find_receipt', { amount }) : null;
    yield `Expense: ${task.text}, ${amount.toFixed(2)} € (${receipt ?? 'no receipt'})\n`;
    const verdict = await task.ask({
      prompt: `May I file ${amount.toFixed(2)} € for ${task.text}?`,
      choices: ['approve', 'reject'],
      timeout: A_DAY,
      onTimeout: 'reject',
    });
    if (verdict === 'reject') throw reject('Nobody approved it.');
    yield 'Filed.';
  },
});
