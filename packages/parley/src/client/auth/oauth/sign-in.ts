import type { AgentCard, SecurityRequirement } from '../../../model/card.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { A2AClient } from '../../client.ts';
import type { CredentialRequest } from '../../options.ts';

/**
 * The credentials that an agent's card asks for, one request per scheme. A guarded card is read with a token, so that
 * the login takes place on the way.
 */
export async function requestsOf(client: A2AClient): Promise<readonly CredentialRequest[]> {
  const card = await client.agentCard({ timeout: 0 });
  const url = client.interface?.url;
  if (url === undefined) throw new A2AError('INVALID_RESPONSE', 'There is no interface to call');
  const schemes = card.securitySchemes ?? {};
  const rest = { skill: undefined, challenge: undefined, refused: undefined, url };
  const asked = demandsOf(card).flatMap((requirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
      return scheme ? [{ name, scheme, scopes, ...rest }] : [];
    }),
  );
  if (asked.length > 0) return asked;
  // Nothing on the card: the server may still say who gives tokens for it.
  return [{ name: '', scheme: { type: 'http', scheme: 'Bearer' }, scopes: [], ...rest }];
}

function demandsOf({ security = [], securitySchemes = {} }: AgentCard): readonly SecurityRequirement[] {
  return security.length > 0 ? security : Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
}
