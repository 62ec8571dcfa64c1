import type { ExtensionDefinition, ExtensionEventInfo } from '../../agent/extension.ts';
import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import { requireNow } from '../../model/basics/promises.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { AgentTransform } from '../operations/transforms.ts';
import { plainJson } from './plain-json.ts';

interface ExtendedViewOptions {
  readonly agent: string;
  /** Those that are active for the reader and have an `onEvent`. */
  readonly extensions: readonly ExtensionDefinition[];
  readonly onFailure: (uri: string, taskId: string | undefined, error: unknown) => void;
}

/** The events of an agent as readers with some extensions see them. */
export class ExtendedView {
  /** Tells what these readers see from what others see: those with the same extensions share it. */
  readonly form: string;
  readonly #options: ExtendedViewOptions;
  readonly #uris: readonly string[];

  constructor(options: ExtendedViewOptions) {
    this.#options = options;
    this.#uris = options.extensions.map(({ uri }) => uri);
    this.form = this.#uris.join(' ');
  }

  /** The whole change of what is sent. Transforms of the server come last, so that nothing leaves it unseen by them. */
  before(transform: AgentTransform | undefined): AgentTransform {
    return transform ? (event, info) => transform(this.#extended(event, info), info) : this.#extended;
  }

  readonly #extended = (event: StreamEvent, place: Omit<ExtensionEventInfo, 'agent' | 'extensions'>): StreamEvent => {
    const { agent, extensions, onFailure } = this.#options;
    const info: ExtensionEventInfo = { ...place, agent, extensions: this.#uris };
    let added: Record<string, JsonValue> | undefined;
    for (const extension of extensions) {
      try {
        const value = requireNow(extension.onEvent?.(event, info), `onEvent of ${extension.uri}`);
        if (value === undefined) continue;
        const plain = plainJson(value, extension.uri);
        added ??= {};
        added[extension.uri] = plain;
      } catch (error) {
        onFailure(extension.uri, place.taskId, error);
      }
    }
    return added ? withMetadata(event, added) : event;
  };
}

function withMetadata(event: StreamEvent, added: JsonObject): StreamEvent {
  switch (event.kind) {
    case 'task':
      return { kind: 'task', task: { ...event.task, metadata: { ...event.task.metadata, ...added } } };
    case 'message': {
      const { message } = event;
      const extensions = [...new Set([...(message.extensions ?? []), ...Object.keys(added)])];
      return { kind: 'message', message: { ...message, extensions, metadata: { ...message.metadata, ...added } } };
    }
    case 'status':
    case 'artifact':
      return { ...event, metadata: { ...event.metadata, ...added } };
  }
}
