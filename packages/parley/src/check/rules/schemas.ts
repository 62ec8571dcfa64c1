import { isObject, type JsonObject } from '../wire/json.ts';

/**
 * The members of the protocol's objects, closed: `object` names the shape of a member that is an object or a list of such,
 * `map` that of the values of a map, `any` what may hold anything.
 */
export interface Shape {
  readonly [member: string]: 'any' | { readonly object: () => Shape } | { readonly map: () => Shape };
}

const any = (...names: readonly string[]): Shape => Object.fromEntries(names.map((name) => [name, 'any']));
const of = (object: () => Shape) => ({ object });

const PART: Shape = any('text', 'raw', 'url', 'data', 'metadata', 'filename', 'mediaType');
const MESSAGE: Shape = {
  ...any('messageId', 'contextId', 'taskId', 'role', 'metadata', 'extensions', 'referenceTaskIds'),
  parts: of(() => PART),
};
const ARTIFACT: Shape = {
  ...any('artifactId', 'name', 'description', 'metadata', 'extensions'),
  parts: of(() => PART),
};
const STATUS: Shape = { ...any('state', 'timestamp'), message: of(() => MESSAGE) };
export const TASK: Shape = {
  ...any('id', 'contextId', 'metadata'),
  status: of(() => STATUS),
  artifacts: of(() => ARTIFACT),
  history: of(() => MESSAGE),
};
const STATUS_UPDATE: Shape = { ...any('taskId', 'contextId', 'metadata'), status: of(() => STATUS) };
const ARTIFACT_UPDATE: Shape = {
  ...any('taskId', 'contextId', 'metadata', 'append', 'lastChunk'),
  artifact: of(() => ARTIFACT),
};
export const STREAM_RESPONSE: Shape = {
  task: of(() => TASK),
  message: of(() => MESSAGE),
  statusUpdate: of(() => STATUS_UPDATE),
  artifactUpdate: of(() => ARTIFACT_UPDATE),
};
export const TASK_LIST: Shape = { ...any('nextPageToken', 'pageSize', 'totalSize'), tasks: of(() => TASK) };

const REQUIREMENT: Shape = any('schemes');
const SKILL: Shape = {
  ...any('id', 'name', 'description', 'tags', 'examples', 'inputModes', 'outputModes'),
  securityRequirements: of(() => REQUIREMENT),
};
const CAPABILITIES: Shape = {
  ...any('streaming', 'pushNotifications', 'extendedAgentCard'),
  extensions: of(() => any('uri', 'description', 'required', 'params')),
};
const SCHEME: Shape = {
  apiKeySecurityScheme: of(() => any('location', 'name', 'description')),
  httpAuthSecurityScheme: of(() => any('scheme', 'bearerFormat', 'description')),
  oauth2SecurityScheme: of(() => any('flows', 'oauth2MetadataUrl', 'description')),
  openIdConnectSecurityScheme: of(() => any('openIdConnectUrl', 'description')),
  mtlsSecurityScheme: of(() => any('description')),
};
export const CARD_1_0: Shape = {
  ...any('name', 'description', 'version', 'defaultInputModes', 'defaultOutputModes', 'documentationUrl', 'iconUrl'),
  supportedInterfaces: of(() => any('url', 'protocolBinding', 'protocolVersion', 'tenant')),
  provider: of(() => any('url', 'organization')),
  capabilities: of(() => CAPABILITIES),
  securitySchemes: { map: () => SCHEME },
  securityRequirements: of(() => REQUIREMENT),
  skills: of(() => SKILL),
  signatures: of(() => any('protected', 'signature', 'header')),
};

const DEEPEST = 20;

/** The paths of members that a shape does not know. */
export function* unknownMembers(value: unknown, shape: Shape, path = '', depth = 0): Generator<string> {
  if (depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownMembers(item, shape, `${path}[${index}]`, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const here = path === '' ? name : `${path}.${name}`;
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) yield here;
    else if (known === 'any') continue;
    else if ('object' in known) yield* unknownMembers(member, known.object(), here, depth + 1);
    else if (isObject(member)) {
      for (const [key, item] of Object.entries(member))
        yield* unknownMembers(item, known.map(), `${here}.${key}`, depth + 1);
    }
  }
}
