import { A2AClient } from 'parley-a2a';
import type { converter } from './converter.ts';

/** Only the agent's type is imported, and the call is typed. */
export async function kilometresOf(miles: number, agentUrl: string): Promise<number> {
  const client = await A2AClient.connect<typeof converter>(agentUrl);
  const { amount } = await client.skill('convert').call({ amount: miles, from: 'mile', to: 'km' });
  return amount;
}
