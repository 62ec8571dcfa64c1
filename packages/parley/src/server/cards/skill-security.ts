import type { AgentSkill, SecurityRequirement, SecurityScheme } from '../../model/card.ts';
import type { SkillDefinition } from '../../model/extensions/skills.ts';

/** Skills as their card shows them: the scopes that one needs are its security, by each scheme that grants scopes. */
export function securedSkills(
  skills: readonly SkillDefinition[],
  schemes: Readonly<Record<string, SecurityScheme>> = {},
): readonly AgentSkill[] {
  const granting = Object.entries(schemes).filter(([, scheme]) => grantsScopes(scheme));
  if (granting.length === 0 || !skills.some(needsScopes)) return skills;
  return skills.map((skill) => {
    if (!needsScopes(skill) || skill.security) return skill;
    const security = granting.map(([name]): SecurityRequirement => ({ [name]: skill.scopes ?? [] }));
    return { ...skill, security };
  });
}

function needsScopes({ scopes = [] }: SkillDefinition): boolean {
  return scopes.length > 0;
}

function grantsScopes({ type }: SecurityScheme): boolean {
  return type === 'oauth2' || type === 'openIdConnect';
}
