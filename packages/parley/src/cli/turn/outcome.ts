import { resolve } from 'node:path';
import { textOf } from '../../model/parts.ts';
import { awaitsSecret } from '../../model/secrets.ts';
import { isInterrupted } from '../../model/states.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { size } from '../text/amounts.ts';
import { clean, cleanLine } from '../text/clean.ts';
import { commandLine, optionWords } from '../text/shell.ts';
import { padded, widthOf } from '../text/width.ts';
import type { Answer } from './answer.ts';
import { type Attachment, attachmentsOf, type SeenParts } from './attachments.ts';
import type { Conversation } from './conversation.ts';
import { severalQuestions } from './questions.ts';
import { saveAll } from './save.ts';

interface OutcomeOptions {
  readonly answer: Answer;
  /** Parts that were there before this turn. */
  readonly seen?: SeenParts | undefined;
  /** In a chat the next prompt follows, so nothing has to be said about how to go on. */
  readonly isChat?: boolean;
}

/** Says what a turn came to, beside its text, and gives the exit code. */
export function conclude(
  result: Task | Message,
  conversation: Conversation,
  { answer, seen, isChat = false }: OutcomeOptions,
): number {
  const { screen } = conversation;
  showAttachments(attachmentsOf(result, seen), conversation, answer);
  if (!isTask(result)) {
    if (!isChat) screen.hint(facts(result.contextId && `context ${result.contextId}`, 'answered without a task'));
    return EXIT.done;
  }
  const { state, message } = result.status;
  const said = message ? textOf(message) : '';
  if (state === 'completed') {
    if (said !== '' && !answer.hasText && !screen.json) {
      answer.text(message?.parts ?? [], 'status');
      answer.end();
    } else if (said !== '') screen.hint(clean(said));
  } else if (isInterrupted(state)) {
    if (!isChat) ask(result, said, conversation);
  } else if (exitCodeOf(state) === EXIT.failed) {
    screen.note(screen.noteStyle.apply(`The task ${verbOf(state)}${said ? `: ${cleanLine(said)}` : '.'}`, 'red'));
  }
  if (!isChat) screen.hint(facts(`task ${result.id}`, `context ${result.contextId}`, state));
  return exitCodeOf(state);
}

function verbOf(state: Task['status']['state']): string {
  if (state === 'unknown') return 'is in a state that its agent cannot tell';
  return state === 'failed' ? 'failed' : `was ${state}`;
}

function facts(...words: readonly (string | undefined)[]): string {
  return cleanLine(words.filter((word) => word !== undefined && word !== '').join(' · '));
}

/**
 * True where the answer must not be seen: the question says so (`sensitive: true` in the metadata of the status message
 * or of one of its parts), or the task waits for an authorization.
 */
export function isSensitive({ status }: Task): boolean {
  return awaitsSecret(status);
}

function ask(task: Task, said: string, { screen, surroundings: { program }, url, options }: Conversation): void {
  const what = task.status.state === 'auth-required' ? 'The agent needs an authorization' : 'The agent asks';
  screen.note(screen.noteStyle.apply(`${what}: ${clean(said) || '(it does not say what)'}`, 'yellow'));
  // Only a chat asks for one answer after the other; the answer of a send is for the oldest question.
  const answer =
    isSensitive(task) || severalQuestions(task).length > 0
      ? commandLine(program, 'chat', url, ...optionWords('--task', task.id), ...repeated(options))
      : commandLine(program, 'send', url, ...optionWords('--task', task.id), ...repeated(options), 'your answer');
  screen.note(`Answer with: ${answer}`);
}

/** The options that the next command needs again; secrets are not repeated. */
function repeated({ binding, protocol, token, header, 'allow-origin': origins = [] }: Options): readonly string[] {
  return [
    ...(binding === undefined ? [] : ['--binding', binding]),
    ...(protocol === undefined ? [] : ['--protocol', protocol]),
    ...(token === undefined ? [] : ['--token', 'TOKEN']),
    ...(header ?? []).flatMap((line) => ['--header', `${line.split(':')[0]}: VALUE`]),
    ...origins.flatMap((origin) => ['--allow-origin', origin]),
  ];
}

function showAttachments(attachments: readonly Attachment[], conversation: Conversation, answer: Answer): void {
  const { screen, options, surroundings } = conversation;
  const { output } = options;
  if (attachments.length === 0) return;
  if (output !== undefined) {
    for (const { path, attachment } of saveAll(attachments, resolve(surroundings.cwd, output), output)) {
      screen.note(screen.noteStyle.apply(`Saved ${path} (${size(attachment.size ?? 0)})`, 'dim'));
    }
  }
  if (screen.json) return;
  const data = attachments.filter(({ part }) => part.kind === 'data');
  const isOnlyData = !answer.hasText && data.length > 0;
  if (isOnlyData) {
    // Without any text the data is the answer.
    for (const { part } of data) {
      if (part.kind === 'data')
        screen.write(`${screen.isShown ? clean(JSON.stringify(part.data, null, 2)) : JSON.stringify(part.data)}\n`);
    }
  }
  const listed = attachments.filter(
    ({ part }) => part.kind === 'link' || (output === undefined && !(isOnlyData && part.kind === 'data')),
  );
  if (listed.length === 0) return;
  const names = listed.map(({ name }) => cleanLine(name));
  const widest = Math.max(...names.map(widthOf));
  listed.forEach(({ part, mediaType, size: bytes }, index) => {
    const place = part.kind === 'link' ? part.url : size(bytes ?? 0);
    screen.hint(`  ${padded(names[index] ?? '', widest)}  ${cleanLine(mediaType)}  ${cleanLine(place)}`);
  });
  if (listed.some(({ part }) => part.kind !== 'link')) screen.hint('  --output DIR saves them.');
}
