import type { ShapesOfAgent, SkilledAgent, SkillShape } from '../../model/extensions/skills.ts';
import type { A2AClient } from '../client.ts';
import { type SkillClient, skillClient } from './skill.ts';

export type SkillOf<Shape> = Shape extends SkillShape ? SkillClient<Shape['sent'], Shape['output']> : SkillClient;

/**
 * One of the skills of a client's agent, with data in and data out: `client.skill(id)` of the client of `parley-a2a`.
 *
 * @example
 * const report = await skillOf(client, 'report').call({ quarter: 'Q4' });
 */
export function skillOf<Agent extends SkilledAgent, Id extends keyof ShapesOfAgent<Agent> & string>(
  client: A2AClient<Agent>,
  id: Id,
): SkillOf<ShapesOfAgent<Agent>[Id]> {
  const definition = client.agent?.skills.find((skill) => skill.id === id);
  return skillClient(client, id, definition) as SkillOf<ShapesOfAgent<Agent>[Id]>;
}
