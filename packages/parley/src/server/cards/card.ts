import type { Agent } from '../../agent/agent.ts';
import type { ServerBinding } from '../../bindings/binding.ts';
import { GRPC } from '../../bindings/grpc/name.ts';
import { grpcRouting } from '../../bindings/grpc/routing.ts';
import { LONGEST_IDEMPOTENCY_KEY } from '../../bindings/http/idempotency-key.ts';
import { JSON_RPC } from '../../bindings/jsonrpc/name.ts';
import { SERVED_BINDINGS } from '../../bindings/served.ts';
import { OFFERED_DIALECTS } from '../../dialects/detect.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { DEFAULT_RETENTION } from '../../engine/node/retention.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { type AgentCard, type AgentExtension, type AgentInterface, RESUME_EXTENSION } from '../../model/card.ts';
import { TOOLS_EXTENSION } from '../../model/extensions/caller-tools.ts';
import { CALLS_EXTENSION } from '../../model/extensions/calls.ts';
import { PUSH_EXTENSION } from '../../model/extensions/push.ts';
import { QUESTIONS_EXTENSION } from '../../model/extensions/questions.ts';
import { TASK_AUTH_EXTENSION } from '../../model/extensions/task-auth.ts';
import { TRACE_EXTENSION } from '../../model/extensions/trace.ts';
import { securedSkills } from './skill-security.ts';

/** The extensions that every agent has: the server carries them out. */
export const COMMON_EXTENSIONS: readonly AgentExtension[] = [
  {
    uri: RESUME_EXTENSION,
    description:
      'Every stream frame has an id. Subscribing with Last-Event-ID gives exactly the events after it; ' +
      'a send with an Idempotency-Key that was used before joins the task of that send.',
    required: false,
  },
  {
    uri: QUESTIONS_EXTENSION,
    description: 'A status message that asks says in its metadata what answers fit: a schema, choices, a time limit.',
    required: false,
  },
  {
    uri: TOOLS_EXTENSION,
    description: 'A send may declare tools that its caller runs; the agent asks for their results.',
    required: false,
  },
  {
    uri: CALLS_EXTENSION,
    description: 'A message from another agent tells the chain of calls; a task lists the tasks that it started.',
    required: false,
  },
  {
    uri: TASK_AUTH_EXTENSION,
    description: 'A task that waits for an authorization says in its status message which one, and where it is given.',
    required: false,
  },
  {
    uri: TRACE_EXTENSION,
    description:
      'Statuses tell the trace and the span of the run that they are from, where the request had a traceparent.',
    required: false,
  },
];

/** The extension of servers that tell webhooks. */
export const PUSH: AgentExtension = {
  uri: PUSH_EXTENSION,
  description:
    'Webhooks are told of status changes and finished artifacts, or of every event on request, in order and at least ' +
    'once; requests are signed as Standard Webhooks has it.',
  required: false,
};

/** The extension's params: how many seconds an idempotency key lives, and how long it may be. */
function keyParams(keyLifetime: number): JsonObject {
  return {
    ...(Number.isFinite(keyLifetime) && { idempotencyKeyLifetime: Math.floor(keyLifetime / 1000) }),
    idempotencyKeyMaxLength: LONGEST_IDEMPOTENCY_KEY,
  };
}

export type CardSecurity = Pick<AgentCard, 'securitySchemes' | 'security'>;

export interface CardTenant {
  readonly name: string;
  /** The credentials of who reads the card belong to it, so that it need not be named. */
  readonly isOwn: boolean;
}

export interface CardAddress {
  /** The address of the agent's operations. */
  readonly url: string;
  /** The bindings that are served there. Default: the built-in ones. */
  readonly bindings?: readonly ServerBinding[] | undefined;
  /** The address of gRPC, and the agent's name there if it is not the default one. Default: none. */
  readonly grpc?: { readonly address: string; readonly agent: string | undefined } | undefined;
  /** Tenants that have an interface of their own. */
  readonly tenants: readonly string[];
  /** The card is that of one tenant: its interfaces name it, and those that cannot are on it only for the tenant's own callers. */
  readonly tenant?: CardTenant | undefined;
  /** Further addresses of JSON-RPC in one version. */
  readonly mounted?: readonly { readonly url: string; readonly version: string }[] | undefined;
  /** Milliseconds. Default: that of the limits. */
  readonly keyLifetime?: number | undefined;
  /** The webhooks that the card declares; undefined if there are none. */
  readonly push?: Pick<AgentExtension, 'params'> | undefined;
  /** Default: what the agent says of itself. */
  readonly security?: CardSecurity | undefined;
}

/** The agent's card, in the model: every binding and version that is served, at its address. */
export function cardOf(agent: Agent, address: CardAddress): AgentCard {
  const security = address.security ?? agent.card;
  return {
    name: agent.title ?? agent.name,
    description: agent.description,
    version: agent.version,
    interfaces: interfacesAt(address),
    capabilities: {
      streaming: agent.streaming,
      pushNotifications: address.push !== undefined,
      extendedAgentCard: agent.extendedCard !== undefined,
      extensions: withOwn(
        [
          ...withParams(keyParams(address.keyLifetime ?? DEFAULT_RETENTION.keys)),
          ...(address.push ? [{ ...PUSH, ...address.push }] : []),
        ],
        agent.extensions,
      ),
    },
    defaultInputModes: agent.inputModes,
    defaultOutputModes: agent.outputModes,
    skills: securedSkills(agent.skills, security?.securitySchemes),
    provider: agent.provider,
    documentationUrl: agent.documentationUrl,
    iconUrl: agent.iconUrl,
    securitySchemes: security?.securitySchemes,
    security: security?.security,
    rateLimit: agent.card?.rateLimit,
  };
}

/** The server's extensions and the agent's, without hooks. Of one that both have, the agent may say more, e.g. that it is required. */
function withOwn(common: readonly AgentExtension[], own: readonly AgentExtension[]): readonly AgentExtension[] {
  const declared = own.map(({ uri, description, required, params }) => ({ uri, description, required, params }));
  const merged = common.map((extension) => {
    const more = declared.find(({ uri }) => uri === extension.uri);
    return {
      ...extension,
      ...(more?.description !== undefined && { description: more.description }),
      ...(more?.required !== undefined && { required: more.required }),
    };
  });
  return [...merged, ...declared.filter(({ uri }) => !common.some((extension) => extension.uri === uri))];
}

function withParams(params: JsonObject): readonly AgentExtension[] {
  return COMMON_EXTENSIONS.map((extension) =>
    extension.uri === RESUME_EXTENSION ? { ...extension, params } : extension,
  );
}

function interfacesAt({
  url,
  bindings = SERVED_BINDINGS,
  grpc,
  tenants,
  tenant: only,
  mounted = [],
}: CardAddress): readonly AgentInterface[] {
  const at = (dialects: readonly Dialect[], tenant?: string) =>
    dialects.flatMap((dialect) => {
      const { version: protocolVersion } = dialect;
      const overHttp = bindings
        .filter(({ versions }) => versions?.includes(protocolVersion) ?? true)
        .map(({ protocolBinding, path }) => ({ url: `${url}${path}`, protocolBinding, protocolVersion, tenant }));
      return grpc ? [...overHttp, ...grpcInterfaces(grpc, dialect, tenant)] : overHttp;
    });
  const withTenants = OFFERED_DIALECTS.filter((dialect) => dialect.rest.paths.tenants);
  const more = mounted.map((mount) => ({
    url: mount.url,
    protocolBinding: JSON_RPC,
    protocolVersion: mount.version,
    isSecondary: true,
  }));
  if (only) {
    const others = OFFERED_DIALECTS.filter((dialect) => !withTenants.includes(dialect));
    return [...at(withTenants, only.name), ...(only.isOwn ? [...at(others), ...more] : [])];
  }
  return [...at(OFFERED_DIALECTS), ...more, ...tenants.flatMap((tenant) => at(withTenants, tenant))];
}

/** gRPC has no paths: the routing string names an agent that is not the default one. A version without it reaches only that. */
function grpcInterfaces(
  { address: url, agent }: NonNullable<CardAddress['grpc']>,
  { version: protocolVersion, rest }: Dialect,
  tenant: string | undefined,
): readonly AgentInterface[] {
  if (agent !== undefined && !rest.paths.tenants) return [];
  return [{ url, protocolBinding: GRPC, protocolVersion, tenant: grpcRouting(agent, tenant) }];
}
