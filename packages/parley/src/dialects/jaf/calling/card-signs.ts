import { isPlainObject } from '../../../model/basics/json.ts';
import type { WireCard } from '../../calling/calling.ts';

/** Modes under names that no other card has, and a capability that no other agent has (seed S1). */
export function isJafCard({ inputModes, defaultInputModes, capabilities }: WireCard): boolean {
  if (!Array.isArray(inputModes) || defaultInputModes !== undefined) return false;
  return isPlainObject(capabilities) && capabilities.contextAccumulation !== undefined;
}
