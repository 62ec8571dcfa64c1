import { A2AError } from '../../model/errors/errors.ts';

/**
 * The error of a caller who may not do something, named by the scope that it lacks. For `authorize`, and for agents.
 *
 * @example
 * new A2AServer({ agents, authorize: ({ caller }) => { if (!caller.scopes.includes('write')) throw forbidden('write'); } });
 */
export function forbidden(scope?: string, advice?: string): A2AError {
  const problem = scope === undefined ? 'The caller may not do this' : `This needs the scope "${scope}"`;
  const message = advice === undefined ? problem : `${problem}; ${advice}`;
  return new A2AError('PERMISSION_DENIED', message, scope === undefined ? {} : { metadata: { scope } });
}

const WHICH = 'or name another skill in message.metadata.skillId';

/** The same for a skill; undefined for all of an agent's, where a message names none. */
export function forbiddenSkill(scope: string, skill: string | undefined): A2AError {
  const { code, message, metadata } = forbidden(scope, skill === undefined ? WHICH : undefined);
  return new A2AError(code, message, { metadata: skill === undefined ? metadata : { ...metadata, skill } });
}
