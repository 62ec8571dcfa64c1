import type { MessageDraft } from '../../engine/turn/runner.ts';
import { type Choice, QUESTIONS_EXTENSION, type QuestionInfo } from '../../model/extensions/questions.ts';
import { textOf } from '../../model/parts.ts';
import type { Part } from '../../model/task.ts';
import type { MessageContent } from '../outcomes.ts';
import { messageDraft, metadataOf } from '../run/outputs.ts';

/** A question as people read it, and as programs do. */
export function questionDraft(prompt: MessageContent, info: QuestionInfo): MessageDraft {
  const { parts, metadata, extensions = [], referenceTaskIds } = messageDraft(prompt);
  return {
    parts: readable(parts, info),
    metadata: { ...metadata, ...metadataOf({ [QUESTIONS_EXTENSION]: info }) },
    extensions: [...extensions, QUESTIONS_EXTENSION],
    referenceTaskIds,
  };
}

export function promptText(prompt: MessageContent): string {
  return textOf(messageDraft(prompt).parts);
}

/** A question that is asked again, with what was wrong with the answer before. */
export function withProblem(parts: readonly Part[], problem: string): readonly Part[] {
  return framed(parts, `That answer cannot be used: ${problem}\n\n`, '');
}

function readable(parts: readonly Part[], { choices, problem }: QuestionInfo): readonly Part[] {
  const asked = framed(parts, '', choices ? `\n\n${listOf(choices)}` : '');
  return problem === undefined ? asked : withProblem(asked, problem);
}

function framed(parts: readonly Part[], before: string, after: string): readonly Part[] {
  if (before === '' && after === '') return parts;
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') return [{ ...only, text: before + only.text + after }];
  return [...textPart(before), ...parts, ...textPart(after)];
}

function textPart(text: string): readonly Part[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** `1. small`, or `1. Small (small)` where people read something else than programs. */
function listOf(choices: readonly Choice[]): string {
  const shown = ({ value, label }: Choice) => (label === undefined || label === value ? value : `${label} (${value})`);
  return choices.map((choice, index) => `${index + 1}. ${shown(choice)}`).join('\n');
}
