import type { TaskIdentity } from '../log/task-log.ts';
import type { Owner, TaskHead } from '../ports.ts';

/** The owner and the agent whose tasks a call is about. */
export interface Scope {
  readonly agent: string;
  readonly owner: Owner;
  /** The call is that of an operator and about the tasks of every owner; of those of a tenant, where one is named. */
  readonly everyone?: boolean | undefined;
}

/** Tasks of one caller are invisible to every other, also by their id, unless their context is shared (`headOf`). */
export function isVisible(task: TaskIdentity | TaskHead, { agent, owner, everyone }: Scope): boolean {
  if (task.agent !== agent) return false;
  if (everyone && owner.tenant === '') return true;
  return task.owner.tenant === owner.tenant && (everyone === true || task.owner.subject === owner.subject);
}
