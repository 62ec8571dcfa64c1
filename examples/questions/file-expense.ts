import type { A2AClient, InputQuestion } from 'parley-a2a';

/** Where the caller's receipts are: the agent never sees the folder, only what it asks for. */
export type Receipts = Readonly<Record<string, number>>;

/** Has an expense filed. The person is asked whatever the agent asks; receipts are found without asking anybody. */
export function fileExpense(
  agent: A2AClient,
  what: string,
  receipts: Receipts,
  askPerson: (question: InputQuestion) => Promise<string>,
): Promise<string> {
  return agent.run(what, {
    tools: {
      find_receipt: {
        description: 'Finds the receipt for an amount in euros; null if there is none',
        parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        execute: ({ amount }: { amount: number }) =>
          Object.entries(receipts).find(([, paid]) => paid === amount)?.[0] ?? null,
      },
    },
    onInput: askPerson,
  });
}
