import type { ClientBinding } from '../../bindings/binding.ts';
import { jsonRpc } from '../../bindings/jsonrpc/called.ts';
import { JSON_RPC } from '../../bindings/jsonrpc/name.ts';
import type { CallingDialect } from '../../dialects/calling.ts';
import { officialDialect, type SpokenDialects } from '../../dialects/spoken.ts';
import type { AgentCard, AgentInterface } from '../../model/card.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { httpUrl } from '../call/http-url.ts';
import type { Preference } from '../options.ts';

/** An interface that can be called. */
export interface Callable {
  readonly entry: AgentInterface;
  readonly binding: ClientBinding;
  readonly dialect: CallingDialect;
}

/**
 * The interfaces of a card that can be called, in the card's order, which is the agent's preference (reference:
 * v1-agent-card §3). Throws, and says what there is, where there are none or none that was asked for.
 */
export function callableInterfaces(
  card: AgentCard,
  dialects: SpokenDialects,
  prefer: Preference = {},
  added: readonly ClientBinding[] = [],
): readonly Callable[] {
  const bindings = [...added, jsonRpc];
  const spoken = card.interfaces.flatMap((entry) => callable(entry, bindings, dialects) ?? []);
  const wanted = spoken.filter(
    ({ binding, dialect }) =>
      (prefer.binding === undefined || binding.protocolBinding === prefer.binding) &&
      (prefer.version === undefined || dialect.version === prefer.version),
  );
  if (wanted.length > 0) return wanted;
  const offered = card.interfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const offer = offered.length > 0 ? `it offers ${[...new Set(offered)].join(', ')}` : 'its card names no interface';
  if (spoken.length === 0) {
    const names = [...new Set(bindings.map(({ protocolBinding }) => protocolBinding))].join(' and ');
    const hint = added.length === 0 ? '; others are handed to the client in bindings' : '';
    throw unsupported(card, `cannot be called: ${offer}; spoken here are ${names} in 1.0 and 0.3${hint}`);
  }
  const asked = [prefer.binding, prefer.version].filter((word) => word !== undefined).join(' ');
  throw unsupported(card, `has no interface for ${asked}: ${offer}`);
}

/** The card's address of JSON-RPC, or another one, for a dialect that no card can name. */
export function informalInterface(card: AgentCard, dialect: CallingDialect, otherUrl: string | undefined): Callable {
  const listed = card.interfaces.find(({ protocolBinding }) => protocolBinding === JSON_RPC) ?? card.interfaces[0];
  const url = otherUrl ?? listed?.url;
  if (url === undefined) throw unsupported(card, 'names no address on its card: set rpcPath');
  const entry: AgentInterface = { url, protocolBinding: JSON_RPC, protocolVersion: dialect.version };
  return { entry, binding: jsonRpc, dialect };
}

function callable(
  entry: AgentInterface,
  bindings: readonly ClientBinding[],
  dialects: SpokenDialects,
): Callable | undefined {
  const binding = bindings.find(({ protocolBinding }) => protocolBinding === entry.protocolBinding);
  const dialect = officialDialect(entry.protocolVersion, dialects);
  return binding && dialect && httpUrl(entry.url) ? { entry, binding, dialect } : undefined;
}

function unsupported({ name }: AgentCard, problem: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', `The agent ${name} ${problem}`.replace('agent  ', 'agent '));
}
