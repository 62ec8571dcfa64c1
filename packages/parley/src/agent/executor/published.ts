import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import { isTerminal, type KnownState } from '../../model/states.ts';
import type { Artifact } from '../../model/task.ts';
import {
  artifactOf,
  invalid,
  listOf,
  messageOf,
  metadataOf,
  type Said,
  type Shape,
  shapeOf,
  stateOf,
} from './shapes.ts';

/** An event of an executor in terms of the model. The task id that it names is ignored. */
export type Published =
  | { readonly kind: 'message'; readonly message: Said }
  | {
      readonly kind: 'status';
      readonly state: KnownState;
      readonly message: Said | undefined;
      readonly metadata: JsonObject | undefined;
      /** Nothing that comes after it counts. */
      readonly isLast: boolean;
    }
  | {
      readonly kind: 'artifact';
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly metadata: JsonObject | undefined;
    }
  | {
      readonly kind: 'task';
      readonly state: KnownState;
      readonly message: Said | undefined;
      readonly history: readonly Said[];
      readonly artifacts: readonly Artifact[];
      readonly metadata: JsonObject | undefined;
    };

/** Reads an event of either generation: `{ kind, data }` of 1.x, or the object itself of 0.3. */
export function publishedOf(value: unknown): Published {
  const event = shapeOf(value, 'an event');
  const isWrapped = typeof event.data === 'object' && event.data !== null;
  const content: Shape = isWrapped ? shapeOf(event.data, 'the data of an event') : event;
  switch (event.kind) {
    case 'message':
      return { kind: 'message', message: messageOf(content) };
    case 'task':
      return taskOf(content);
    case 'statusUpdate':
    case 'status-update':
      return statusOf(content);
    case 'artifactUpdate':
    case 'artifact-update': {
      const { append, lastChunk, metadata } = content;
      const artifact = artifactOf(content.artifact);
      return {
        kind: 'artifact',
        artifact,
        append: append === true,
        lastChunk: lastChunk === true,
        metadata: metadataOf(metadata),
      };
    }
    default:
      throw invalid(`an event of kind ${JSON.stringify(event.kind)} is not known`);
  }
}

/** In 0.3 an executor says itself which status is the last; in 1.x that follows from the state. */
function statusOf(update: Shape): Published {
  const { state, message } = readStatus(update.status);
  return { kind: 'status', state, message, metadata: metadataOf(update.metadata), isLast: isLast(update, state) };
}

/** True where events after this one are ignored. `publishedOf` reports an event that cannot be read. */
export function isLastEvent(event: Shape): boolean {
  if (event.kind !== 'status-update' || !isPlainObject(event.status)) return false;
  return isLast(event, stateOf(event.status.state) ?? 'working');
}

function isLast({ final }: Shape, state: KnownState): boolean {
  return typeof final === 'boolean' ? final : isTerminal(state) || state === 'input-required';
}

function taskOf({ status, history, artifacts, metadata }: Shape): Published {
  return {
    kind: 'task',
    ...(status ? readStatus(status) : { state: 'submitted', message: undefined }),
    history: listOf(history).map(messageOf),
    artifacts: listOf(artifacts).map(artifactOf),
    metadata: metadataOf(metadata),
  };
}

/** A state that is unspecified or unknown changes nothing: the executor is at work. */
function readStatus(value: unknown): { readonly state: KnownState; readonly message: Said | undefined } {
  const { state, message } = shapeOf(value, 'a status');
  return { state: stateOf(state) ?? 'working', message: message ? messageOf(message) : undefined };
}
