import type { Dialect } from '../../dialects/dialect.ts';
import type { OperatorWork } from '../../engine/copy/operator-work.ts';
import type { Owner } from '../../engine/ports.ts';
import type { MessageDraft } from '../../engine/turn/runner.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { invalidParams } from '../../model/errors/errors.ts';
import type { Draining } from '../core/draining.ts';
import type { ForkResult, RerunResult } from './console-api.ts';
import type { OperatorResource } from './operator-routes.ts';

interface CopyingOptions {
  readonly work: Pick<OperatorWork, 'rerun' | 'fork'>;
  /** A2A 1.0. */
  readonly dialect: Pick<Dialect, 'decode'>;
  readonly draining: Pick<Draining, 'admit'>;
  /** The agent of a task, by its id. */
  readonly agentOf: (taskId: string) => Promise<string>;
  /** The owner of a task in this context; undefined if there is none. */
  readonly ownerOf: (taskId: string, contextId: string) => Promise<Owner | undefined>;
}

/** Runs a task again. */
export function rerunning({ work, dialect, draining, agentOf }: CopyingOptions): OperatorResource {
  return {
    method: 'POST',
    async respond({ id, body, asked }): Promise<RerunResult> {
      const { message, fromStep } = body();
      if (fromStep !== undefined && typeof fromStep !== 'string') throw wrong('fromStep', 'must be the name of a step');
      const draft = message === undefined ? undefined : readMessage(message, dialect);
      draining.admit('sendMessage', asked.caller);
      const task = await work.rerun(id, { message: draft, fromStep });
      return { taskId: task.id, contextId: task.contextId, agent: await agentOf(task.id) };
    },
  };
}

/** Copies a conversation. Whose it is need not be said where the last task of the copy is named. */
export function forking({ work, ownerOf }: Pick<CopyingOptions, 'work' | 'ownerOf'>): OperatorResource {
  return {
    method: 'POST',
    async respond({ id, body }): Promise<ForkResult> {
      const { owner, upTo } = body();
      if (upTo !== undefined && typeof upTo !== 'string') throw wrong('upTo', 'must be the id of a task');
      const found = owner === undefined && upTo !== undefined ? await ownerOf(upTo, id) : undefined;
      return work.fork(found ?? readOwner(owner), id, upTo);
    },
  };
}

function readMessage(message: JsonValue, { decode }: Pick<Dialect, 'decode'>): MessageDraft {
  if (!isPlainObject(message)) throw wrong('message', 'must be a message of A2A 1.0');
  const { taskId: _, contextId: __, ...rest } = message;
  const read = decode.sendMessage({ message: { ...rest, messageId: 'again', role: 'ROLE_USER' } });
  const { parts, metadata, extensions, referenceTaskIds } = read.message;
  return { parts, metadata, extensions, referenceTaskIds };
}

function readOwner(owner: JsonValue | undefined = {}): Owner {
  const { tenant = '', subject = '' } = isPlainObject(owner) ? owner : { tenant: null };
  if (typeof tenant === 'string' && typeof subject === 'string') return { tenant, subject };
  throw wrong('owner', 'must be an object with the tenant and the subject, as texts');
}

function wrong(field: string, description: string) {
  return invalidParams({ field, description });
}
