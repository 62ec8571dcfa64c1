import type { ClientBinding } from '../../bindings/binding.ts';
import { CALLED_BINDINGS } from '../../bindings/called.ts';
import { jsonRpc } from '../../bindings/jsonrpc/called.ts';
import { JSON_RPC } from '../../bindings/jsonrpc/name.ts';
import type { CallingDialect } from '../../dialects/calling/calling.ts';
import { type ClientDialects, OFFICIAL_VERSIONS, officialDialect } from '../../dialects/calling/spoken.ts';
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
 * v1-agent-card §3). Throws, and says what there is, if there is none, or none of those asked for.
 */
export function callableInterfaces(
  card: AgentCard,
  dialects: ClientDialects,
  prefer: Preference = {},
  added: readonly ClientBinding[] = [],
): readonly Callable[] {
  const bindings = [...added, ...CALLED_BINDINGS];
  const spoken = card.interfaces.flatMap((entry) => callable(entry, card, bindings, dialects) ?? []);
  const wanted = spoken.filter(
    ({ binding, dialect }) =>
      (prefer.binding === undefined || binding.protocolBinding === prefer.binding) &&
      (prefer.version === undefined || dialect.version === prefer.version),
  );
  const usual = wanted.filter(({ binding }) => prefer.binding !== undefined || !binding.isLastResort);
  if (usual.length > 0) return usual;
  if (wanted.length > 0) return wanted;
  const offered = card.interfaces.map((one) => `${one.protocolBinding} ${one.protocolVersion}`);
  const offer = offered.length > 0 ? `it offers ${[...new Set(offered)].join(', ')}` : 'its card names no interface';
  if (spoken.length === 0) {
    const known = [...new Set(bindings.map(({ protocolBinding }) => protocolBinding))].join(', ');
    throw unsupported(
      card,
      `cannot be called: ${offer}; spoken here are ${known} in ${OFFICIAL_VERSIONS.join(', ')}, and what is handed in`,
    );
  }
  const asked = [prefer.binding, prefer.version].filter(Boolean).join(' ');
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
  { interfaces }: AgentCard,
  bindings: readonly ClientBinding[],
  dialects: ClientDialects,
): Callable | undefined {
  const dialect = officialDialect(entry.protocolVersion, dialects);
  const binding = bindings.find(
    ({ protocolBinding, versions }) =>
      protocolBinding === entry.protocolBinding && (versions?.includes(dialect?.version ?? '') ?? true),
  );
  const url = binding?.addressOf ? binding.addressOf(entry.url, interfaces) : entry.url;
  return binding && dialect && url && httpUrl(url) ? { entry: { ...entry, url }, binding, dialect } : undefined;
}

function unsupported({ name }: AgentCard, problem: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', ['The agent', name, problem].filter(Boolean).join(' '));
}
