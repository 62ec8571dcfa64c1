import { isPlainObject } from '../../model/basics/json.ts';
import { isLastEvent } from '../executor/published.ts';

/** A status in the words of the wire; what it says about ids and times is the server's to say, and is not looked at. */
export interface StatusUpdateOutput {
  readonly kind: 'status-update';
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly status: {
    readonly state: string;
    readonly message?: object | undefined;
    readonly timestamp?: string | undefined;
  };
  /** The turn ends with it. Left out: with every state that ends a turn. */
  readonly final?: boolean | undefined;
  readonly metadata?: object | undefined;
}

/** A piece of an artifact in the words of the wire, or one part of it in the older ones of the seed S0.21. */
export interface ArtifactUpdateOutput {
  readonly kind: 'artifact-update';
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly artifact?: { readonly artifactId: string; readonly parts: readonly object[] } | undefined;
  readonly append?: boolean | undefined;
  readonly lastChunk?: boolean | undefined;
  readonly metadata?: object | undefined;
  readonly index?: number | undefined;
  readonly part?: object | undefined;
  readonly timestamp?: string | undefined;
}

/** An update as A2A 0.3 writes it: programs that made these themselves yield or emit them as they are. */
export type UpdateOutput = StatusUpdateOutput | ArtifactUpdateOutput;

const UPDATES: ReadonlySet<unknown> = new Set(['status-update', 'artifact-update']);

export function isUpdateOutput(output: unknown): output is UpdateOutput {
  return isPlainObject(output) && UPDATES.has(output.kind);
}

/** True for an output that ends the turn. */
export function isLastUpdate(output: unknown): boolean {
  return isUpdateOutput(output) && isLastEvent({ ...output });
}

/** An update with a part of its own, as one of the artifact that its number stands for. */
export function inNewerWords(update: UpdateOutput): UpdateOutput {
  if (update.kind === 'status-update' || update.artifact || !isPlainObject(update.part)) return update;
  const { index: _, append, ...part } = update.part;
  const artifact = { artifactId: `artifact-${update.index ?? 0}`, parts: [part] };
  return { ...update, artifact, append: append === true };
}
