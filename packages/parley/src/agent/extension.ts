import type { Awaitable } from '../engine/ports.ts';
import type { JsonValue } from '../model/basics/json.ts';
import type { Call } from '../model/call.ts';
import type { AgentExtension } from '../model/card.ts';
import type { Message, StreamEvent } from '../model/task.ts';

/** A request as the hook of an extension sees it. */
export interface ExtensionRequest {
  /** The value that the client sent in metadata under the extension's URI; undefined where it sent none. Check it. */
  readonly data: JsonValue | undefined;
  /** The message of a send, as the hooks before this one left it; undefined for other operations. */
  readonly message: Message | undefined;
  /** The task that the request names; undefined where it names none. */
  readonly taskId: string | undefined;
}

/** The place of an event that is about to be sent. */
export interface ExtensionEventInfo {
  /** The name in the agent's address. */
  readonly agent: string;
  /** Undefined for a message that is the result without a task. */
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** The id of the frame in a stream; undefined in the results of all other operations. */
  readonly seq: number | undefined;
  /** The active extensions that have an `onEvent`. */
  readonly extensions: readonly string[];
}

/**
 * An extension that an agent knows. Parley calls its hooks only for requests that name it. Their results go into
 * metadata under its URI; extensions add nothing else to the protocol's objects (reference: v1-operations §14).
 */
export interface ExtensionDefinition extends AgentExtension {
  /**
   * Called with each request that names the extension, before Parley carries it out. Throw an A2AError to refuse the
   * request. For a send, the returned value replaces `data` in the message's metadata, where the agent finds it;
   * undefined changes nothing.
   */
  onRequest?(request: ExtensionRequest, call: Call): Awaitable<JsonValue | undefined | void>;
  /**
   * Called with each event, task and message for a client that named the extension. Parley adds the returned value to
   * its metadata; undefined adds nothing. The store stays unchanged. Readers share the result, so return the same for
   * the same event every time.
   */
  onEvent?(event: StreamEvent, info: ExtensionEventInfo): JsonValue | undefined | void;
}

/** URIs that the server itself carries out. */
const OWN = 'urn:parley:ext:';

/** Requests name extensions in a header, separated by commas. */
const NAMEABLE = /^[\x21-\x2b\x2d-\x7e]+$/;

/** Throws a TypeError for extensions that no request could name, that are there twice, or whose hooks the server has. */
export function checkExtensions(agent: string, extensions: readonly ExtensionDefinition[]): void {
  const uris = new Set<string>();
  for (const extension of extensions) {
    const { uri } = extension;
    if (typeof uri !== 'string' || !NAMEABLE.test(uri)) {
      throw new TypeError(
        `The URI of an extension of agent "${agent}" must be ASCII without spaces and commas: "${uri}"`,
      );
    }
    if (uris.has(uri)) throw new TypeError(`Agent "${agent}" has the extension ${uri} twice`);
    uris.add(uri);
    for (const name of ['onRequest', 'onEvent'] as const) {
      if (extension[name] === undefined || !uri.startsWith(OWN)) continue;
      throw new TypeError(`The extension ${uri} is the server's own: it takes no ${name}`);
    }
  }
}
