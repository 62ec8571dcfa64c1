import type { Dialect } from '../../../dialects/dialect.ts';
import type { AgentCard } from '../../../model/card.ts';
import type { GrpcVersion } from '../services.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The card of 0.3 as its proto has it: members of the JSON card, with what callers must prove in the shape that 1.0 shares with it
 * (reference: v03 §9, mapping §11).
 */
export function protoCardV0_3(card: AgentCard, dialects: Readonly<Record<GrpcVersion, Dialect>>): Json {
  const old = dialects['0.3'].encodeCard(card) as Json & { readonly skills: readonly Json[] };
  const { securitySchemes, securityRequirements, skills } = dialects['1.0'].encodeCard(card) as Json & {
    readonly skills: readonly Json[];
  };
  return {
    ...old,
    securitySchemes,
    security: securityRequirements,
    skills: old.skills.map((skill, index) => ({ ...skill, security: skills[index]?.securityRequirements })),
  };
}
