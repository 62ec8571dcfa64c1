import type { AgentSkill } from '../model/card.ts';
import type { Agent, AgentDefinition } from './agent.ts';

const NAME = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/i;
const DEFAULT_MODES: readonly string[] = ['text/plain', 'application/json'];

/**
 * Defines an agent. Types are inferred: `task.skill` is one of the skills' ids.
 *
 * @example
 * const hello = defineAgent({
 *   name: 'hello',
 *   description: 'Greets',
 *   version: '1.0.0',
 *   async *run(task) {
 *     yield `Hello, ${task.text}!`;
 *   },
 * });
 */
export function defineAgent<const SkillId extends string = string>(
  definition: AgentDefinition<SkillId>,
): Agent<SkillId> {
  const { name, description, version, skills } = definition;
  if (!NAME.test(name)) {
    throw new TypeError(
      `An agent's name is part of its address, so "${name}" must be letters and digits joined by - _ .`,
    );
  }
  if (!description || !version) throw new TypeError(`Agent "${name}" needs a description and a version`);
  const ids = new Set(skills?.map((skill) => skill.id));
  if (skills && ids.size !== skills.length) throw new TypeError(`Agent "${name}" has two skills with the same id`);
  const untagged = skills?.find((skill) => !skill.tags?.length);
  if (untagged) throw new TypeError(`Skill "${untagged.id}" of agent "${name}" needs at least one tag`);
  return {
    ...definition,
    // `run` may use `this`, so it is called on the definition.
    run: (task) => definition.run(task),
    skills: skills && skills.length > 0 ? skills : [defaultSkill<SkillId>(definition)],
    inputModes: modes(definition.inputModes),
    outputModes: modes(definition.outputModes),
    extensions: definition.extensions ?? [],
    streaming: definition.streaming ?? true,
  };
}

/** A card lists at least one. */
function modes(given: readonly string[] | undefined): readonly string[] {
  return given && given.length > 0 ? given : DEFAULT_MODES;
}

function defaultSkill<SkillId extends string>(definition: AgentDefinition<SkillId>) {
  const { name, description } = definition;
  const skill: AgentSkill = { id: name, name, description, tags: ['general'] };
  return skill as AgentSkill & { readonly id: SkillId };
}
