import type { ExtensionDefinition } from '../../agent/extension.ts';
import { requireInput } from '../../agent/skills/typed-skills.ts';
import type { StreamForm } from '../../bindings/event-stream.ts';
import { readIdempotencyKey } from '../../bindings/http/idempotency-key.ts';
import type { Service, StreamResult, UnaryResult } from '../../bindings/service.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SendCall } from '../../engine/send/sends.ts';
import type { Scope } from '../../engine/task/scope.ts';
import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import type { Call } from '../../model/call.ts';
import type { AgentCard } from '../../model/card.ts';
import { A2AError, taskNotFound } from '../../model/errors/errors.ts';
import { chainOf } from '../../model/extensions/calls.ts';
import type { ResumeGap } from '../../model/extensions/resume.ts';
import type {
  OperationInputs,
  OperationName,
  SendInput,
  StreamOperationName,
  SubscribeInput,
  UnaryOperationName,
} from '../../model/operations.ts';
import type { Message } from '../../model/task.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../../model/traffic-limits.ts';
import { isOperator } from '../auth/guard/operators.ts';
import { admitChain, type ChainRules, comesBack, withChain } from '../calls/chain-rules.ts';
import type { ExtendedView } from '../extensions/extended-view.ts';
import { askHooks, changedMessage, type ExtensionHooks } from '../extensions/extension-hooks.ts';
import type { PushOperations } from '../push/operations.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { Authorization, type Authorize } from './authorization.ts';
import { KeyedSend } from './keyed-send.ts';
import { hasReferences, withReferences } from './references.ts';
import { readFromOf, resumePosition } from './resume-position.ts';
import { TaskEvents } from './task-events.ts';
import type { Tenants } from './tenants.ts';
import { type AgentTransform, shownAnswer, shownTask } from './transforms.ts';

interface AgentServiceOptions extends Omit<AdmissionOptions, 'hasPush'> {
  /** Undefined where webhooks are off. */
  readonly push: PushOperations | undefined;
  /** Refuses a caller who may not use the skill that a message is for. Default: none is refused. */
  readonly requireSkill?: ((call: Call, message: Message) => void) | undefined;
  /** The agent's card for the caller of a call, who asks as one of a tenant. */
  readonly extendedCard: (call: Call, tenant: string) => Promise<AgentCard>;
  /** The name in the agent's address; tasks are kept under it. */
  readonly name: string;
  readonly engine: Engine;
  readonly tenants: Tenants;
  /** Returns true if an anonymous caller may list. */
  readonly anonymousLists: (call: Call) => boolean;
  /** Decides about each call, beside the scopes of skills. */
  readonly authorize?: Authorize | undefined;
  /** Changes what is sent; undefined where nothing does. */
  readonly shown: () => AgentTransform | undefined;
  /** The chains of calls that may lead here. */
  readonly chainRules: ChainRules;
  /** The hooks of the agent's extensions; undefined where it has none. */
  readonly hooks?: ExtensionHooks | undefined;
}

type UnaryHandlers = {
  readonly [Name in UnaryOperationName]: (input: OperationInputs[Name], call: Call<Name>) => Promise<UnaryResult<Name>>;
};

/** One agent's operations: prepares them for the engine, and its results for the caller. */
export class AgentService implements Service {
  readonly admit: Admission['admit'];
  readonly #options: AgentServiceOptions;
  readonly #admission: Admission;
  readonly #authorization: Authorization | undefined;

  constructor(options: AgentServiceOptions) {
    this.#options = options;
    this.#admission = new Admission({ ...options, hasPush: options.push !== undefined });
    this.admit = this.#admission.admit;
    const { agent, authorize, engine } = options;
    const taskOf = async (call: Call, tenant: string, id: string) => engine.get(this.#scope(tenant, call, id), { id });
    this.#authorization = Authorization.of({ agent, authorize, taskOf });
  }

  unary<Name extends UnaryOperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<UnaryResult<Name>> {
    const checking = this.#checked(call, input);
    const perform = this.#unary[call.operation];
    return checking ? checking.then(() => perform(input, call)) : perform(input, call);
  }

  async stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
    form: StreamForm = {},
  ): Promise<StreamResult> {
    const checking = this.#checked(call, input);
    if (checking) await checking;
    const { engine } = this.#options;
    if (call.operation === 'sendStreamingMessage') {
      const prepared = this.#sending(input as SendInput, call);
      const sending = prepared instanceof Promise ? await prepared : prepared;
      const sent = await engine.sendStreaming({ ...sending, staysOpen: form.staysOpen });
      const { extensions } = sending;
      const isReplayed = KeyedSend.isReplayed(sending);
      const view = this.#options.hooks?.viewOf(extensions);
      const transform = this.#transformOf(view);
      if (sent.kind === 'reply') {
        return { kind: 'reply', message: shownAnswer(sent.message, transform), extensions, isReplayed };
      }
      const { subscription } = sent;
      const events = new TaskEvents({ subscription, transform, form: view?.form });
      return { kind: 'stream', taskId: subscription.taskId, events, extensions, isReplayed };
    }
    const { id, tenant, metadata, alsoEnded } = input as SubscribeInput;
    const { positions, remembers } = form;
    const position = positions === 'none' ? undefined : resumePosition(call.resumeAt, metadata, positions === 'frames');
    const extensions = this.#admission.activeExtensions(call, position !== undefined);
    const after = position?.after;
    const from = readFromOf(position, alsoEnded, remembers);
    const subscription = await engine.subscribe(this.#wideScope(tenant, call, id), id, from);
    const gap: ResumeGap | undefined = position && subscription.gap && { gap: subscription.gap, asked: position.asked };
    const view = this.#options.hooks?.viewOf(extensions);
    const transform = this.#transformOf(view);
    const events = new TaskEvents({ subscription, transform, form: view?.form, after, gap });
    return { kind: 'stream', taskId: subscription.taskId, events, extensions };
  }

  readonly #unary: UnaryHandlers = {
    sendMessage: async (input, call) => {
      const prepared = this.#sending(input, call);
      const sending = prepared instanceof Promise ? await prepared : prepared;
      const answer = await this.#options.engine.send(sending);
      return { result: shownAnswer(answer, this.#shownTo(call)), isReplayed: KeyedSend.isReplayed(sending) };
    },
    getTask: async (input, call) => {
      const found = this.#options.engine.get(this.#wideScope(input.tenant, call, input.id), input, call);
      const task = found instanceof Promise ? await found : found;
      return { result: shownTask(task, this.#shownTo(call)) };
    },
    cancelTask: async (input, call) => {
      const task = await this.#options.engine.cancel(this.#wideScope(input.tenant, call, input.id), input);
      return { result: shownTask(task, this.#shownTo(call)) };
    },
    listTasks: async (input, call) => {
      if (call.caller.subject === '' && !call.everyone && !this.#options.anonymousLists(call)) {
        const advice = "Anonymous callers may not list tasks here (the server's setting anonymous: 'shared' allows it)";
        throw new A2AError('PERMISSION_DENIED', advice);
      }
      const page = await this.#options.engine.list(
        { ...this.#scope(input.tenant, call), everyone: call.everyone },
        input,
      );
      const shown = this.#shownTo(call);
      return { result: shown ? { ...page, tasks: page.tasks.map((task) => shownTask(task, shown)) } : page };
    },
    createPushConfig: async (input, call) => {
      const scope = this.#scope(input.tenant, call, input.config.taskId);
      return { result: await this.#push.create(scope, input, call) };
    },
    getPushConfig: async (input, call) => {
      return { result: await this.#push.get(this.#scope(input.tenant, call, input.taskId), input, call) };
    },
    listPushConfigs: async (input, call) => {
      return { result: await this.#push.list(this.#scope(input.tenant, call, input.taskId), input) };
    },
    deletePushConfig: async (input, call) => {
      await this.#push.delete(this.#scope(input.tenant, call, input.taskId), input);
      return { result: undefined };
    },
    getExtendedCard: async ({ tenant }, call) => {
      if (this.#options.agent.extendedCard === true) {
        throw new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'This agent has no extended card configured');
      }
      if (call.caller.subject === '') {
        throw new A2AError('UNAUTHENTICATED', 'The extended card is for authenticated callers only');
      }
      const { owner } = this.#scope(tenant, call);
      return { result: await this.#options.extendedCard(call, owner.tenant) };
    },
  };

  /** Undefined if no hook has to be asked. Hooks see a send later, as the first one of its key. */
  #checked<Name extends OperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<void> | undefined {
    const checking = this.#authorization?.check(call, input);
    const isSend = call.operation === 'sendMessage' || call.operation === 'sendStreamingMessage';
    const hooks = isSend ? undefined : this.#requestHooks(call);
    if (!hooks) return checking;
    return (checking ?? Promise.resolve()).then(() => {
      // The operation itself says what is wrong with a tenant, so that hooks do not change what that tells.
      const isServed = this.#options.tenants.tenantOf(input.tenant, call.caller) !== undefined;
      return isServed ? askHooks(hooks, input, call) : undefined;
    });
  }

  #requestHooks(call: Call): readonly ExtensionDefinition[] | undefined {
    return this.#options.hooks?.requestHooks(this.#admission.activeExtensions(call));
  }

  /** The change of what a client is sent; undefined where nothing is changed. */
  #shownTo(call: Call): AgentTransform | undefined {
    return this.#transformOf(this.#options.hooks?.viewOf(this.#admission.activeExtensions(call)));
  }

  /** The same for what the extensions of a client add. */
  #transformOf(view: ExtendedView | undefined): AgentTransform | undefined {
    const transform = this.#options.shown();
    return view ? view.before(transform) : transform;
  }

  /**
   * A send under a key is checked only when it turns out to be the first one: a client that repeats it gets the first
   * response, whatever has happened since to the tasks that it refers to or to its deadline.
   */
  #sending(input: SendInput, call: Call): SendCall | Promise<SendCall> {
    const idempotencyKey = readIdempotencyKey(call.idempotencyKey);
    if (idempotencyKey === undefined) return this.#admitted(input, call);
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    const extensions = this.#admission.activeExtensions(call);
    return new KeyedSend({ scope, input, extensions, idempotencyKey, call, admit: () => this.#admitted(input, call) });
  }

  /** At once, where nothing has to be looked up. */
  #admitted(input: SendInput, call: Call): SendCall | Promise<SendCall> {
    const hooks = this.#requestHooks(call);
    if (hasReferences(input)) return this.#referring(input, call, hooks);
    const sending = this.#sendCall(input, call);
    const checking = requireInput(this.#options.agent, sending.input.message);
    if (hooks || input.pushConfig) return this.#prepared(sending, call, hooks, checking);
    return checking ? checking.then(() => sending) : sending;
  }

  /** The send as the hooks leave it, with its webhook. They see what would be carried out: all else is checked before. */
  async #prepared(
    sending: SendCall,
    call: Call,
    hooks: readonly ExtensionDefinition[] | undefined,
    checking?: Promise<void>,
  ): Promise<SendCall> {
    await checking;
    const { scope, input } = sending;
    const push = input.pushConfig && (await this.#push.prepare(scope, input.pushConfig, input, call));
    const message = hooks ? await changedMessage(hooks, input, call) : input.message;
    return { ...sending, input: { ...input, message }, push };
  }

  async #referring(input: SendInput, call: Call, hooks: readonly ExtensionDefinition[] | undefined): Promise<SendCall> {
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    const resolved = await withReferences(input, scope, this.#options.engine);
    const sending = this.#sendCall(resolved, call);
    const checking = requireInput(this.#options.agent, sending.input.message);
    return this.#prepared(sending, call, hooks, checking);
  }

  #sendCall(input: SendInput, call: Call): SendCall {
    const { chainRules } = this.#options;
    const scope = this.#scope(input.tenant, call, input.message.taskId);
    this.#admission.admitSend(input, call);
    this.#options.requireSkill?.(call, input.message);
    const chain = chainOf(input.message.metadata);
    const timeout = timeoutOf(input, call);
    const deadline = earlier(
      admitChain(chain, chainRules),
      timeout === undefined ? undefined : chainRules.now() + timeout,
    );
    const extensions = this.#admission.activeExtensions(call);
    const nested = chain !== undefined && comesBack(chain, chainRules);
    return { scope, input: withChain(input, chain), deadline, extensions, nested, call };
  }

  /** Operations on webhooks are admitted only where there are any. */
  get #push(): PushOperations {
    const { push } = this.#options;
    if (!push) throw new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent does not send push notifications');
    return push;
  }

  /** The tasks that a caller may look at and end: operators, those of every owner. */
  #wideScope(tenant: string, call: Call, taskId: string): Scope {
    const scope = this.#scope(tenant, call, taskId);
    return isOperator(call.caller) ? { ...scope, everyone: true } : scope;
  }

  /** An unknown tenant is answered like a task that is not there, so that callers cannot find out which exist. */
  #scope(tenant: string, call: Call, taskId?: string): Scope {
    const { name, tenants } = this.#options;
    const { caller } = call;
    const found = tenants.tenantOf(tenant, caller);
    if (found === undefined) throw taskId ? taskNotFound(taskId) : new A2AError('TASK_NOT_FOUND', 'Not found');
    return { agent: name, owner: { tenant: found, subject: caller.subject } };
  }
}

/** The time that the run of a send may take: as asked, up to the longest; for a blocking send, that of the address. */
function timeoutOf({ timeout, returnImmediately }: SendInput, { operation, traffic }: Call): number | undefined {
  const { sendTimeout, longestTimeout } = traffic ?? DEFAULT_TRAFFIC_LIMITS;
  // No timer runs for longer, and no date is so far away.
  if (timeout !== undefined) return Math.min(timeout, longestTimeout, LONGEST_TIMER);
  const waits = operation === 'sendMessage' && !returnImmediately && sendTimeout !== Number.POSITIVE_INFINITY;
  return waits ? sendTimeout : undefined;
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
