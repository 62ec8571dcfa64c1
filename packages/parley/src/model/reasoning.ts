import type { Artifact } from './task.ts';

/** The name of the artifact in which agents keep the reasoning of their model, apart from the answer. */
export const REASONING = 'reasoning';

export function isReasoning({ name }: Pick<Artifact, 'name'>): boolean {
  return name === REASONING;
}
