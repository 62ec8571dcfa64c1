import { EXTENSION_RULES } from './extension-rules.ts';
import { RULE_INFOS, type RuleInfo } from './rule-info.ts';

/** Every rule that is checked: those of the reference, then those of Parley's own extensions. */
export const ALL_RULES: readonly RuleInfo[] = [...RULE_INFOS, ...EXTENSION_RULES];
