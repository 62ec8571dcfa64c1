import type { Agent } from '../../agent/agent.ts';
import { requireSkill } from '../../agent/skills/skills.ts';
import { requireInput } from '../../agent/skills/typed-skills.ts';
import type { StreamForm } from '../../bindings/event-stream.ts';
import { readIdempotencyKey } from '../../bindings/http/idempotency-key.ts';
import { isCovered } from '../../bindings/http/media-type.ts';
import type { Service, StreamResult, UnaryResult } from '../../bindings/service.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SendCall } from '../../engine/task/sends.ts';
import type { Scope } from '../../engine/task/tasks.ts';
import type { Call, Caller } from '../../model/call.ts';
import { RESUME_EXTENSION } from '../../model/card.ts';
import { A2AError, invalidParams, quoted, taskNotFound } from '../../model/errors.ts';
import { chainOf } from '../../model/extensions/calls.ts';
import type { ResumeGap } from '../../model/extensions/resume.ts';
import {
  type Capability,
  OPERATIONS,
  type Operation,
  type OperationInputs,
  type OperationName,
  type SendInput,
  type StreamOperationName,
  type SubscribeInput,
  type UnaryOperationName,
} from '../../model/operations.ts';
import type { Part } from '../../model/task.ts';
import { admitChain, type ChainRules, comesBack, withChain } from '../calls/chain-rules.ts';
import { EVERYWHERE } from '../cards/card.ts';
import { KeyedSend } from './keyed-send.ts';
import { hasReferences, withReferences } from './references.ts';
import { readFromOf, resumePosition } from './resume-position.ts';
import { TaskEvents } from './task-events.ts';
import { type AgentTransform, shownAnswer, shownTask } from './transforms.ts';

export interface AgentServiceOptions {
  /** The name in the agent's address; tasks are kept under it. */
  readonly name: string;
  readonly agent: Agent;
  readonly engine: Engine;
  /** Parts that a message may have. */
  readonly mostParts: number;
  readonly isTenant: (tenant: string) => boolean;
  /** Whether anonymous callers may list. */
  readonly anonymousLists: (call: Call) => boolean;
  /** Changes what is sent; undefined where nothing does. */
  readonly shown: () => AgentTransform | undefined;
  /** What chains of calls may lead here. */
  readonly chainRules: ChainRules;
}

type UnaryHandlers = {
  readonly [Name in UnaryOperationName]: (input: OperationInputs[Name], call: Call<Name>) => Promise<UnaryResult<Name>>;
};

/** Some agents name kinds of parts where others name media types (seed S2, AgentCard). */
const MODE_OF: Readonly<Record<Part['kind'], string>> = { text: 'text', data: 'data', bytes: 'file', link: 'file' };

const SENDS: ReadonlySet<OperationName> = new Set(['sendMessage', 'sendStreamingMessage']);

/** One agent's operations: what its card offers is checked here, everything else is the engine's. */
export class AgentService implements Service {
  readonly #options: AgentServiceOptions;

  constructor(options: AgentServiceOptions) {
    this.#options = options;
  }

  admit(call: Call): readonly string[] {
    const active = this.#activeExtensions(call);
    if (SENDS.has(call.operation)) this.#requireExtensions(active, call);
    this.#requireCapability(call.operation);
    return active;
  }

  unary<Name extends UnaryOperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<UnaryResult<Name>> {
    return this.#unary[call.operation](input, call);
  }

  async stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
    form: StreamForm = {},
  ): Promise<StreamResult> {
    const { engine } = this.#options;
    const transform = this.#options.shown();
    if (call.operation === 'sendStreamingMessage') {
      const prepared = this.#sending(input as SendInput, call);
      const sending = prepared instanceof Promise ? await prepared : prepared;
      const sent = await engine.sendStreaming({ ...sending, staysOpen: form.staysOpen });
      const { extensions } = sending;
      const isReplayed = KeyedSend.isReplayed(sending);
      if (sent.kind === 'reply') {
        return { kind: 'reply', message: shownAnswer(sent.message, transform), extensions, isReplayed };
      }
      const { subscription } = sent;
      return { kind: 'stream', events: new TaskEvents({ subscription, transform }), extensions, isReplayed };
    }
    const { id, tenant, metadata, alsoEnded } = input as SubscribeInput;
    const { positions, remembers } = form;
    const position = positions === 'none' ? undefined : resumePosition(call.resumeAt, metadata, positions === 'frames');
    const extensions = this.#activeExtensions(call, position !== undefined);
    const after = position?.after;
    const from = readFromOf(position, alsoEnded, remembers);
    const subscription = await engine.subscribe(this.#scope(tenant, call, id), id, from);
    const gap: ResumeGap | undefined = position && subscription.gap && { gap: subscription.gap, asked: position.asked };
    return { kind: 'stream', events: new TaskEvents({ subscription, transform, after, gap }), extensions };
  }

  readonly #unary: UnaryHandlers = {
    sendMessage: async (input, call) => {
      const prepared = this.#sending(input, call);
      const sending = prepared instanceof Promise ? await prepared : prepared;
      const answer = await this.#options.engine.send(sending);
      return { result: shownAnswer(answer, this.#options.shown()), isReplayed: KeyedSend.isReplayed(sending) };
    },
    getTask: async (input, call) => {
      const task = await this.#options.engine.get(this.#scope(input.tenant, call, input.id), input);
      return { result: shownTask(task, this.#options.shown()) };
    },
    cancelTask: async (input, call) => {
      const task = await this.#options.engine.cancel(this.#scope(input.tenant, call, input.id), input);
      return { result: shownTask(task, this.#options.shown()) };
    },
    listTasks: async (input, call) => {
      if (call.caller.subject === '' && !this.#options.anonymousLists(call)) {
        const advice = "Anonymous callers may not list tasks here (the server's setting anonymous: 'shared' allows it)";
        throw new A2AError('PERMISSION_DENIED', advice);
      }
      const page = await this.#options.engine.list(this.#scope(input.tenant, call), input);
      const shown = this.#options.shown();
      return { result: shown ? { ...page, tasks: page.tasks.map((task) => shownTask(task, shown)) } : page };
    },
    createPushConfig: async () => this.#refusePush(),
    getPushConfig: async () => this.#refusePush(),
    listPushConfigs: async () => this.#refusePush(),
    deletePushConfig: async () => this.#refusePush(),
    getExtendedCard: async () => {
      if (this.#options.agent.extendedCard === true) {
        throw new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'This agent has no extended card configured');
      }
      throw new A2AError('UNAUTHENTICATED', 'The extended card is for authenticated callers only');
    },
  };

  /**
   * A send under a key is checked only when it turns out to be the first one: whoever repeats it gets the first answer,
   * whatever has happened since to the tasks that it refers to or to its deadline.
   */
  #sending(input: SendInput, call: Call): SendCall | Promise<SendCall> {
    const idempotencyKey = readIdempotencyKey(call.idempotencyKey);
    if (idempotencyKey === undefined) return this.#admitted(input, call);
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    const extensions = this.#activeExtensions(call);
    return new KeyedSend({ scope, input, extensions, idempotencyKey, call, admit: () => this.#admitted(input, call) });
  }

  /** At once, where nothing has to be looked up. */
  #admitted(input: SendInput, call: Call): SendCall | Promise<SendCall> {
    if (hasReferences(input)) return this.#referring(input, call);
    const sending = this.#sendCall(input, call);
    const checking = requireInput(this.#options.agent, sending.input.message);
    return checking ? checking.then(() => sending) : sending;
  }

  async #referring(input: SendInput, call: Call): Promise<SendCall> {
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    const resolved = await withReferences(input, scope, this.#options.engine);
    const sending = this.#sendCall(resolved, call);
    await requireInput(this.#options.agent, sending.input.message);
    return sending;
  }

  #sendCall(input: SendInput, call: Call): SendCall {
    const { agent, chainRules } = this.#options;
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    if (input.pushConfig) this.#refusePush();
    this.#requireParts(input);
    this.#requireContentTypes(input);
    requireSkill(agent, input.message);
    const chain = chainOf(input.message.metadata);
    const deadline = earlier(
      admitChain(chain, chainRules),
      input.timeout === undefined ? undefined : chainRules.now() + input.timeout,
    );
    const extensions = this.#activeExtensions(call);
    const nested = chain !== undefined && comesBack(chain, chainRules);
    return { scope, input: withChain(input, chain), deadline, extensions, nested, call };
  }

  /** An unknown tenant is answered like a task that is not there, so that nobody can find out which ones exist. */
  #scope(tenant: string, call: Call, taskId?: string): Scope {
    if (tenant !== '' && !(this.#options.isTenant(tenant) && isOpenTo(call.caller, tenant))) {
      throw taskId ? taskNotFound(taskId) : new A2AError('TASK_NOT_FOUND', 'Not found');
    }
    const { caller } = call;
    return { agent: this.#options.name, owner: { tenant: tenant || caller.tenant, subject: caller.subject } };
  }

  #activeExtensions(call: Call, resumes = false): readonly string[] {
    const asksToResume = resumes || call.resumeAt !== undefined || call.idempotencyKey !== undefined;
    if (!asksToResume && call.extensions.length === 0) return [];
    const known = [...EVERYWHERE, ...this.#options.agent.extensions].map((extension) => extension.uri);
    return known.filter((uri) => call.extensions.includes(uri) || (asksToResume && uri === RESUME_EXTENSION));
  }

  #requireExtensions(active: readonly string[], { extensions: provided }: Call): void {
    const required = this.#options.agent.extensions.filter((one) => one.required).map((one) => one.uri);
    const missing = required.filter((uri) => !active.includes(uri));
    if (missing.length === 0) return;
    throw new A2AError(
      'EXTENSION_SUPPORT_REQUIRED',
      `This agent needs the extension ${missing.join(', ')}: name it in A2A-Extensions`,
      { metadata: { required: missing.join(','), provided: active.join(',') }, lists: { required, provided } },
    );
  }

  #requireCapability(operation: OperationName): void {
    const { capability }: Operation = OPERATIONS[operation];
    if (!capability || this.#offers(capability)) return;
    if (capability === 'pushNotifications') this.#refusePush();
    const what = capability === 'streaming' ? 'stream' : 'have an extended card';
    throw new A2AError('UNSUPPORTED_OPERATION', `This agent does not ${what}`, { metadata: { capability } });
  }

  #offers(capability: Capability): boolean {
    const { agent } = this.#options;
    if (capability === 'streaming') return agent.streaming;
    return capability === 'extendedAgentCard' && agent.extendedCard !== undefined;
  }

  #refusePush(): never {
    throw new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent does not send push notifications');
  }

  #requireParts({ message }: SendInput): void {
    const { mostParts } = this.#options;
    if (message.parts.length <= mostParts) return;
    throw invalidParams({ field: 'message.parts', description: `must have at most ${mostParts} elements` });
  }

  /** reference: v1-operations §4, Content types. A part without a media type is not refused. */
  #requireContentTypes({ message, modesAreKinds }: SendInput): void {
    const { agent } = this.#options;
    for (const [index, part] of message.parts.entries()) {
      if (!part.mediaType) continue;
      const ofSkills = agent.skills.flatMap((skill) => skill.inputModes ?? []);
      const accepted = [...new Set([...agent.inputModes, ...ofSkills])];
      if (isCovered(part.mediaType, accepted) || accepted.includes(MODE_OF[part.kind])) continue;
      if (modesAreKinds && part.kind === 'data' && isCovered('application/json', accepted)) continue;
      throw new A2AError(
        'CONTENT_TYPE_NOT_SUPPORTED',
        `message.parts[${index}] is ${quoted(part.mediaType)}; this agent takes ${accepted.join(', ')}`,
        { metadata: { mediaType: part.mediaType, accepted: accepted.join(',') } },
      );
    }
  }
}

/** A caller that belongs to a tenant sees no other one. */
function isOpenTo(caller: Caller, tenant: string): boolean {
  return caller.tenant === '' || caller.tenant === tenant;
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
