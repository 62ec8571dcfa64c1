import type { TaskStream } from '../../client/stream/task-stream.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted } from '../../model/states.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import { EXIT } from '../exit-codes.ts';
import { secretsOf } from '../show/given-secrets.ts';
import { CommandError, problemOf } from '../show/problems.ts';
import { clean, cleanLine } from '../text/clean.ts';
import { commandLine, optionWords } from '../text/shell.ts';
import { Answer } from '../turn/answer.ts';
import { type SeenParts, seenIn } from '../turn/attachments.ts';
import type { Conversation } from '../turn/conversation.ts';
import { follow } from '../turn/follow.ts';
import { conclude, isSensitive } from '../turn/outcome.ts';
import { namedAnswer, severalQuestions, shownQuestion } from '../turn/questions.ts';
import { type Entry, type Prompter, prompterOf } from './prompter.ts';

const HELP = `/new begins another conversation, /exit or Ctrl-D leaves.
Ctrl-C cancels the task, or clears the line; twice leaves. A line that ends with \\ goes on in the next one.`;

export async function chatWith(conversation: Conversation): Promise<number> {
  const prompter = prompterOf(conversation.surroundings);
  try {
    return await new Chat(conversation, prompter).run();
  } finally {
    prompter.close();
  }
}

class Chat {
  readonly #conversation: Conversation;
  readonly #prompter: Prompter;
  #contextId: string | undefined;
  /** The task that waits for an answer. */
  #waiting: Task | undefined;
  #answer: Answer;
  #seen: SeenParts | undefined;
  #exitCode: number = EXIT.done;

  constructor(conversation: Conversation, prompter: Prompter) {
    this.#conversation = conversation;
    this.#prompter = prompter;
    this.#contextId = conversation.options.context;
    this.#answer = new Answer(conversation.screen);
  }

  async run(): Promise<number> {
    const { screen, client, options, interruption } = this.#conversation;
    screen.idle();
    this.#greet();
    if (options.task !== undefined) {
      const task = await client.getTask(options.task, { signal: interruption.signal });
      this.#answer.skip(task);
      this.#settle(task);
      if (!this.#waiting)
        throw new CommandError(
          `The task is ${task.status.state}: there is nothing to answer. Leave out --task to begin another`,
        );
    }
    let isLeaving = false;
    for (;;) {
      const entry = await this.#ask();
      if (entry.kind === 'end' || (entry.kind === 'interrupt' && isLeaving)) return this.#leave(entry);
      isLeaving = entry.kind === 'interrupt';
      if (entry.kind === 'interrupt') await this.#interrupted();
      else if (/^\/(exit|quit)$/.test(entry.text.trim())) return this.#leave({ kind: 'end' });
      else await this.#take(entry.text);
    }
  }

  #greet(): void {
    const { screen, client } = this.#conversation;
    const { name = '', version = '', description = '' } = client.card ?? {};
    screen.hint(`${cleanLine(`${name} ${version}`)} – ${cleanLine(description)}`);
    screen.hint('Ctrl-D leaves, /help tells more.');
  }

  #ask(): Promise<Entry> {
    const { screen } = this.#conversation;
    const hidden = this.#waiting !== undefined && isSensitive(this.#waiting);
    const prompt = this.#waiting ? (hidden ? '(hidden) › ' : '? › ') : '› ';
    return this.#prompter.ask(`${screen.noteStyle.apply(prompt.trimEnd(), 'cyan')} `, hidden);
  }

  async #take(text: string): Promise<void> {
    const { screen } = this.#conversation;
    switch (text.trim()) {
      case '/help':
        screen.note(HELP);
        return;
      case '/new':
        this.#contextId = undefined;
        this.#waiting = undefined;
        screen.hint('A new conversation begins.');
        return;
      case '':
        // Many authorizations are given elsewhere, in a browser say: then the task goes on without an answer.
        if (this.#waiting?.status.state === 'auth-required') await this.#turn(this.#resumed(this.#waiting));
        return;
      default:
        await this.#turn(this.#sent(text));
    }
  }

  #sent(text: string): TaskStream {
    const { client, options, interruption } = this.#conversation;
    const [asked] = this.#waiting ? severalQuestions(this.#waiting) : [];
    const content = this.#waiting && asked ? namedAnswer(this.#waiting, asked, text) : text;
    return client.sendMessageStream(content, {
      contextId: this.#contextId,
      taskId: this.#waiting?.id,
      skill: options.skill,
      signal: interruption.signal,
    });
  }

  #resumed({ id }: Task): TaskStream {
    const { client, interruption } = this.#conversation;
    return client.subscribe(id, { signal: interruption.signal });
  }

  async #turn(stream: TaskStream): Promise<void> {
    const { surroundings, url, screen, options } = this.#conversation;
    this.#answer.begin();
    try {
      const result = await follow(stream, this.#conversation, { live: true, answer: this.#answer });
      this.#exitCode = conclude(result, this.#conversation, { answer: this.#answer, seen: this.#seen, isChat: true });
      this.#settle(result);
    } catch (error) {
      // One turn that goes wrong does not end the talk.
      const secrets = secretsOf(options, surroundings.env);
      const problem = problemOf(error, { program: surroundings.program, url, secrets });
      this.#exitCode = problem.exitCode;
      screen.note(screen.noteStyle.apply(`parley: ${problem.text}`, 'red'));
    } finally {
      this.#conversation.interruption.renew();
    }
  }

  #settle(result: Task | Message): void {
    const { screen } = this.#conversation;
    this.#contextId = result.contextId ?? this.#contextId;
    this.#waiting = isTask(result) && isInterrupted(result.status.state) ? result : undefined;
    this.#seen = isTask(result) ? seenIn(result) : undefined;
    if (!this.#waiting) return;
    const { message, state } = this.#waiting.status;
    this.#exitCode = EXIT.waiting;
    const several = severalQuestions(this.#waiting);
    const [asked] = several;
    const said = asked ? shownQuestion(asked, several.length) : message && textOf(message);
    if (said !== undefined) screen.note(screen.noteStyle.apply(clean(said), 'yellow'));
    if (state === 'auth-required') screen.hint('If you have given the authorization elsewhere, press Enter.');
  }

  /** Ctrl-C at the prompt. */
  async #interrupted(): Promise<void> {
    const { screen, client, surroundings, url, options } = this.#conversation;
    const waiting = this.#waiting;
    if (!waiting) {
      screen.hint('Ctrl-C again leaves.');
      return;
    }
    this.#waiting = undefined;
    try {
      const { status } = await client.cancelTask(waiting.id);
      this.#exitCode = EXIT.failed;
      screen.note(screen.noteStyle.apply(`The task was ${status.state}. Ctrl-C again leaves.`, 'yellow'));
    } catch (error) {
      const secrets = secretsOf(options, surroundings.env);
      screen.note(`parley: ${problemOf(error, { program: surroundings.program, url, secrets }).text}`);
    }
  }

  #leave({ kind }: Entry): number {
    const { screen, surroundings, url } = this.#conversation;
    if (this.#waiting) {
      screen.hint(
        `The task still waits. Go on with: ${commandLine(surroundings.program, 'chat', url, ...optionWords('--task', this.#waiting.id))}`,
      );
    } else if (this.#contextId !== undefined) {
      screen.hint(
        `Go on with: ${commandLine(surroundings.program, 'chat', url, ...optionWords('--context', this.#contextId))}`,
      );
    }
    return kind === 'interrupt' ? EXIT.interrupted : this.#exitCode;
  }
}
