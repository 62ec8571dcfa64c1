import { invalidParams } from '../../model/errors/errors.ts';
import type { Message } from '../../model/task.ts';
import type { Agent } from '../agent.ts';

/** The skill that a caller wants: `message.metadata.skillId`; absent = the only skill, or none. */
export function skillOf(agent: Agent, message: Message): string | undefined {
  const wanted = message.metadata?.skillId;
  if (typeof wanted === 'string') return wanted;
  return agent.skills.length === 1 ? agent.skills[0]?.id : undefined;
}

/** A skill that the agent does not have is refused before anything runs. */
export function requireSkill(agent: Agent, message: Message): void {
  const wanted = message.metadata?.skillId;
  if (wanted === undefined || wanted === null) return;
  if (agent.skills.some((skill) => skill.id === wanted)) return;
  const known = agent.skills.map((skill) => skill.id).join(', ');
  throw invalidParams({ field: 'message.metadata.skillId', description: `must be one of: ${known}` });
}
