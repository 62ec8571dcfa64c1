import { A2AClient, type AgentCard, cardFaults } from 'parley-a2a/client';
import { type AgentTarget, urlOf } from '../api/clients.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { wiredOptions } from '../wire/record/wired-options.ts';

/** A card as it was published, as it is read, and what is wrong with it. */
export interface CardReport {
  readonly published: Readonly<Record<string, unknown>>;
  readonly card: AgentCard;
  readonly problems: readonly string[];
}

/** Reads the card of an agent anew, with the faults that the client finds in it. */
export async function readCard(target: AgentTarget, signal: AbortSignal): Promise<CardReport> {
  let published: Readonly<Record<string, unknown>> = {};
  const url = urlOf(target);
  const client = new A2AClient(url, {
    ...wiredOptions(url),
    checkCard: (found, card) => {
      published = found;
      return cardFaults(found, card);
    },
  });
  const card = await client.agentCard({ signal });
  return { published, card, problems: client.cardProblems };
}

export function useCard(target: AgentTarget): QueryResult<CardReport> {
  return useQuery(`card ${urlOf(target)}`, (signal) => readCard(target, signal));
}
