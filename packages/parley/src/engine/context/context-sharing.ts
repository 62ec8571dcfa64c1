import { A2AError } from '../../model/errors/errors.ts';
import type { ContextFacet, Owner } from '../ports.ts';

/** The most subjects that one call shares a context with. */
const MOST_SUBJECTS = 100;

/** Lets other subjects of the tenant use a context; throws a plain error, which no caller is shown, where it cannot be. */
export async function shareContext(
  store: ContextFacet,
  owner: Owner,
  contextId: string,
  subjects: readonly string[],
): Promise<void> {
  requireSubjects(subjects);
  const result = await store.shareContext(owner, contextId, subjects);
  if (result.kind === 'unknown') {
    throw new A2AError('NOT_FOUND', `${owner.subject || 'The anonymous caller'} has no context ${contextId}`);
  }
  if (result.kind === 'shared') return;
  const problem = `The context ${contextId} is not shared: ${result.subject} has a context of that id already`;
  throw new Error(problem);
}

/** All who have no name are one subject, so that sharing with it would be sharing with everybody. */
function requireSubjects(subjects: readonly string[]): void {
  if (!Array.isArray(subjects) || !subjects.every((subject) => typeof subject === 'string' && subject !== '')) {
    throw new TypeError('A context is shared with subjects: a list of names that are not empty');
  }
  if (subjects.length <= MOST_SUBJECTS) return;
  throw new TypeError(`A context is shared with at most ${MOST_SUBJECTS} subjects at a time`);
}
