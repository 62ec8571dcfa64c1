import type { RuleInfo } from './rule-info.ts';

/** Rules of Parley's own extensions, from docs/extensions. They count where a card declares the extension. */
export const EXTENSION_RULES: readonly RuleInfo[] = [
  rule(
    'calls.deadline',
    'calls Refusals',
    'A call whose deadline has passed gives UnsupportedOperationError with the problem `deadline`.',
  ),
  rule(
    'calls.hops',
    'calls Refusals',
    'A call with more hops than the server allows gives UnsupportedOperationError with the problem `hops`.',
  ),
  rule('calls.malformed', 'calls The chain', 'A chain that is no object of the form counts as none.'),
  rule('questions.plain-answer', 'questions The answer', 'A question can be answered with a mere text.'),
  rule('questions.shape', 'questions The question', 'A question has an `id`, and its message names the extension.'),
  rule('tools.unused', 'tools Declaration', 'Tools that a caller declares change nothing where the agent uses none.'),
  rule('tools.malformed', 'tools Declaration', 'A declaration that makes no sense counts as missing.'),
];

function rule(id: string, section: string, text: string): RuleInfo {
  const area = id.slice(0, id.indexOf('.'));
  return { id, area, level: 'OURS', versions: ['1.0', '0.3'], bindings: [], section: `extensions/${section}`, text };
}
