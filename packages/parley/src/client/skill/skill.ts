import type { JsonValue } from '../../model/basics/json.ts';
import type { AgentCard } from '../../model/card.ts';
import { A2AError, invalidParams } from '../../model/errors/errors.ts';
import { SKILLS_EXTENSION, type SkillDefinition, skillSchemasOf } from '../../model/extensions/skills.ts';
import { dataPartOf, json, textOf } from '../../model/parts.ts';
import { type Checked, check, type SchemaSource } from '../../model/schema/schema-check.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import type { Content } from '../message/content.ts';
import type { SendOptions } from '../options.ts';
import type { TaskStream } from '../stream/task-stream.ts';

export interface SkillCallOptions extends Omit<SendOptions, 'skill'> {}

/** One skill of an agent. */
export interface SkillClient<Input = unknown, Output = unknown> {
  readonly id: string;
  /**
   * Sends the input and waits for the end; the data of the result. A skill that declares no output and returns no data
   * returns its text. Throws TASK_NOT_COMPLETED, with the task, on any other end.
   */
  call(input: Input, options?: SkillCallOptions): Promise<Output>;
  /** Sends the input; what happens, as it happens. */
  stream(input: Input, options?: SkillCallOptions): TaskStream;
}

/** The client as a skill needs it. */
interface SkillCaller {
  /** The agent's card, once it was found. */
  readonly card: AgentCard | undefined;
  /** Sends and waits; throws TASK_NOT_COMPLETED on any end but completion. */
  complete(content: Content, options: SendOptions): Promise<Task | Message>;
  sendMessageStream(content: Content, options: SendOptions): TaskStream;
}

/** `definition` is the agent's own, where the program has it: then both sides check. */
export function skillClient(
  caller: SkillCaller,
  id: string,
  definition: SkillDefinition | undefined,
): SkillClient<never, unknown> {
  return {
    id,
    async call(input: unknown, options: SkillCallOptions = {}) {
      const fit = definition?.input && (await check(definition.input, input, 'input'));
      if (fit) requireFit(fit);
      const answer = await caller.complete(skillContent(input), skillOptions(id, options));
      return outputOf(answer, id, definition?.output, caller.card);
    },
    stream(input: unknown, options: SkillCallOptions = {}) {
      const fit = definition?.input && check(definition.input, input, 'input');
      // A schema that takes its time is left to the agent: a stream begins at once.
      if (fit && !(fit instanceof Promise)) requireFit(fit);
      return caller.sendMessageStream(skillContent(input), skillOptions(id, options));
    },
  };
}

function requireFit({ violations }: Checked): void {
  if (violations) throw invalidParams(...violations);
}

/** The input as a message. It is sent as it was given: the agent's schema makes of it what the run gets. */
export function skillContent(input: unknown): Content {
  if (input === undefined) return '';
  return json(input as JsonValue, { mediaType: 'application/json' });
}

/** The options of a send to a skill, whose result is to be marked as such. */
export function skillOptions<Options extends SkillCallOptions>(
  skill: string,
  { extensions = [], ...options }: Options,
): Omit<Options, 'extensions'> & Pick<SendOptions, 'skill' | 'extensions'> {
  return { ...options, skill, extensions: [...extensions, SKILLS_EXTENSION] };
}

async function outputOf(
  answer: Task | Message,
  id: string,
  source: SchemaSource | undefined,
  card: AgentCard | undefined,
): Promise<unknown> {
  const part = dataPartOf(answer);
  const isDeclared = source !== undefined || (card && skillSchemasOf(card).get(id)?.output !== undefined);
  if (!part && !isDeclared) return textOf(answer);
  const result = source ? await check(source, part?.data, 'output') : { value: part?.data };
  if (!result.violations && (part || source)) return result.value;
  const problem = part
    ? (result.violations ?? []).map(({ field, description }) => `${field} ${description}`).join('; ')
    : 'there is no data part';
  throw new A2AError('INVALID_RESPONSE', `The result does not fit the skill "${id}": ${problem}`, {
    violations: result.violations,
    received: answer,
    ...(isTask(answer) && { task: answer }),
  });
}
