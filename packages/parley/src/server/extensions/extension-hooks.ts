import type { ExtensionDefinition } from '../../agent/extension.ts';
import type { Logger } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import type { Call } from '../../model/call.ts';
import type { OperationInputs, OperationName, SendInput } from '../../model/operations.ts';
import type { Message } from '../../model/task.ts';
import { ExtendedView } from './extended-view.ts';
import { plainJson } from './plain-json.ts';

interface ExtensionHooksOptions {
  /** The name in the agent's address. */
  readonly name: string;
  readonly extensions: readonly ExtensionDefinition[];
  readonly log: Logger;
}

/** The hooks of an agent's extensions. They are called for requests that name the extension, and for no others. */
export class ExtensionHooks {
  readonly #name: string;
  readonly #onRequest: readonly ExtensionDefinition[];
  readonly #onEvent: readonly ExtensionDefinition[];
  readonly #log: Logger;
  /** The task for which an extension's failure was last logged. */
  readonly #failed = new Map<string, string | undefined>();

  constructor({ name, extensions, log }: ExtensionHooksOptions) {
    this.#name = name;
    this.#onRequest = extensions.filter((extension) => extension.onRequest !== undefined);
    this.#onEvent = extensions.filter((extension) => extension.onEvent !== undefined);
    this.#log = log;
  }

  /** Undefined where no extension has hooks. */
  static of(options: ExtensionHooksOptions): ExtensionHooks | undefined {
    const hooks = new ExtensionHooks(options);
    return hooks.#onRequest.length > 0 || hooks.#onEvent.length > 0 ? hooks : undefined;
  }

  /** Undefined where no hook is to be called for a request. */
  requestHooks(active: readonly string[]): readonly ExtensionDefinition[] | undefined {
    const hooks = this.#onRequest.filter(({ uri }) => active.includes(uri));
    return hooks.length > 0 ? hooks : undefined;
  }

  /** The event that readers with these extensions see; undefined if they see the same as all others. */
  viewOf(active: readonly string[]): ExtendedView | undefined {
    const extensions = this.#onEvent.filter(({ uri }) => active.includes(uri));
    if (extensions.length === 0) return undefined;
    return new ExtendedView({ agent: this.#name, extensions, onFailure: this.#report });
  }

  /** The failures of one extension with one task are logged once: each of its events, and each reader, may repeat them. */
  readonly #report = (uri: string, taskId: string | undefined, error: unknown): void => {
    if (this.#failed.has(uri) && this.#failed.get(uri) === taskId) return;
    this.#failed.set(uri, taskId);
    this.#log.error('onEvent of an extension failed; its events are sent without it', {
      error,
      extension: uri,
      agent: this.#name,
      taskId,
    });
  };
}

/** Calls the hooks one after the other; returns the message as they left it. */
export async function changedMessage(
  hooks: readonly ExtensionDefinition[],
  { message: given, metadata }: SendInput,
  call: Call,
): Promise<Message> {
  let message = given;
  for (const extension of hooks) {
    const { uri } = extension;
    const data = message.metadata?.[uri] ?? metadata?.[uri];
    const value = await extension.onRequest?.({ data, message, taskId: message.taskId }, call);
    if (value !== undefined) message = { ...message, metadata: { ...message.metadata, [uri]: plainJson(value, uri) } };
  }
  return message;
}

/** The task that a request names, whatever else it names beside it; undefined where it names none. */
function taskIdOf(input: OperationInputs[OperationName]): string | undefined {
  if ('message' in input) return input.message.taskId;
  if ('config' in input) return input.config.taskId;
  if ('taskId' in input) return input.taskId;
  return 'id' in input ? input.id : undefined;
}

/** Calls the hooks for an operation that is not a send: they may refuse it, and there is nothing to change. */
export async function askHooks(
  hooks: readonly ExtensionDefinition[],
  input: OperationInputs[OperationName],
  call: Call,
): Promise<void> {
  const { metadata } = input as { readonly metadata?: JsonObject | undefined };
  const taskId = taskIdOf(input);
  for (const extension of hooks) {
    await extension.onRequest?.({ data: metadata?.[extension.uri], message: undefined, taskId }, call);
  }
}
