import type { CallingDialect } from '../calling/calling.ts';
import { cardFaults } from './card-faults.ts';
import { type ReceivedCard, readAgentCard } from './read-card.ts';

export type { ReceivedCard };

/**
 * Reads a published card with all that can be said about it. A card without any interface is a complaint too: a client that
 * knows the address otherwise can go on.
 *
 * @param informal the informal dialects that the card may be in
 */
export function decodeAgentCard(json: unknown, informal: readonly CallingDialect[] = []): ReceivedCard {
  return readAgentCard(json, informal, cardFaults);
}
