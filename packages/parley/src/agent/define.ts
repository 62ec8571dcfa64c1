import { isPlainObject } from '../model/basics/json.ts';
import {
  type KnownMembers,
  type ShapesOf,
  SKILLS_EXTENSION,
  type SkillDefinition,
  skillsExtension,
} from '../model/extensions/skills.ts';
import { shown } from '../model/options/checks.ts';
import type { Agent, AgentDefinition, RunResult } from './agent.ts';
import { checkDefinition } from './definition-checks.ts';
import { checkExtensions } from './extension.ts';
import { schemasOf } from './skills/typed-skills.ts';
import type { SkillTask } from './task-context.ts';

const NAME = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/i;
const DEFAULT_MODES: readonly string[] = ['text/plain', 'application/json'];

/**
 * Defines an agent. Types are inferred: `task.skill` is one of the skills' ids, and `task.input` is what its schema says.
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
export function defineAgent<const Skills extends readonly SkillDefinition[] = readonly SkillDefinition[]>(
  definition: Omit<AgentDefinition, 'skills' | 'run'> & {
    readonly skills?: (Skills & NoInfer<KnownMembers<Skills>>) | undefined;
    run(task: SkillTask<ShapesOf<Skills>>): RunResult;
  },
): Agent<Skills[number]['id'], ShapesOf<Skills>> {
  type SkillId = Skills[number]['id'];
  if (!isPlainObject(definition)) {
    throw new TypeError(`defineAgent takes { name, description, version, run }, not ${shown(definition)}`);
  }
  const { name, description, version, skills } = definition;
  if (!name) throw new TypeError('An agent needs a name, a description and a version');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(
      `An agent's name is part of its address, so ${shown(name)} must be letters and digits joined by - _ .`,
    );
  }
  if (!description || !version) throw new TypeError(`Agent "${name}" needs a description and a version`);
  if (typeof definition.run !== 'function') throw new TypeError(`Agent "${name}" needs a function run(task)`);
  checkDefinition(name, definition);
  const ids = new Set(skills?.map((skill) => skill.id));
  if (skills && ids.size !== skills.length) throw new TypeError(`Agent "${name}" has two skills with the same id`);
  const untagged = skills?.find((skill) => !skill.tags?.length);
  if (untagged) throw new TypeError(`Skill "${untagged.id}" of agent "${name}" needs at least one tag`);
  const schemas = skills && schemasOf(skills, name);
  // A definition may be that of another agent with some changes; its skills are described again.
  const others = (definition.extensions ?? []).filter(({ uri }) => !(schemas && uri === SKILLS_EXTENSION));
  const extensions = schemas ? [...others, skillsExtension(schemas)] : others;
  checkExtensions(name, extensions);
  return {
    ...definition,
    // `run` may use `this`, so it is called on the definition.
    run: (task) => definition.run(task as SkillTask<ShapesOf<Skills>>),
    ...(definition.onCancel && { onCancel: definition.onCancel.bind(definition) }),
    skills: skills && skills.length > 0 ? (skills as readonly Skill<SkillId>[]) : [defaultSkill<SkillId>(definition)],
    inputModes: withJson(modes(definition.inputModes), skills),
    outputModes: modes(definition.outputModes),
    extensions,
    streaming: definition.streaming ?? true,
  };
}

/** A card lists at least one. */
function modes(given: readonly string[] | undefined): readonly string[] {
  return given && given.length > 0 ? given : DEFAULT_MODES;
}

const TAKES_JSON: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** An agent with an input schema accepts JSON. */
function withJson(given: readonly string[], skills: readonly SkillDefinition[] = []): readonly string[] {
  const isWanted = skills.some((skill) => skill.input) && !given.some((mode) => TAKES_JSON.has(mode.toLowerCase()));
  return isWanted ? [...given, 'application/json'] : given;
}

type Skill<SkillId extends string> = SkillDefinition & { readonly id: SkillId };

function defaultSkill<SkillId extends string>({ name, description }: Pick<AgentDefinition, 'name' | 'description'>) {
  const skill: SkillDefinition = { id: name, name, description, tags: ['general'] };
  return skill as Skill<SkillId>;
}
