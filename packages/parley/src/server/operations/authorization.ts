import type { Agent } from '../../agent/agent.ts';
import { skillOf } from '../../agent/skills/skills.ts';
import type { Awaitable } from '../../engine/ports.ts';
import { type Call, type Caller, isAgentCaller } from '../../model/call.ts';
import type { OperationInputs, OperationName, SendInput } from '../../model/operations.ts';
import type { Message, Task } from '../../model/task.ts';
import { forbidden, forbiddenSkill } from '../auth/forbidden.ts';

/** The request of a call. */
interface AuthorizeDetails {
  /** The parameters of the operation. */
  readonly input: OperationInputs[OperationName];
  /** The skill that a send is for; undefined for other operations, and where several are there and none is named. */
  readonly skill: string | undefined;
}

/** Decides whether a call may be carried out; false and errors refuse it. */
export type Authorize = (call: Call, details: AuthorizeDetails) => Awaitable<boolean | void>;

interface AuthorizationOptions {
  readonly agent: Agent;
  readonly authorize?: Authorize | undefined;
  /** Resolves with a task as the caller sees it; rejects with TASK_NOT_FOUND. */
  readonly taskOf: (call: Call, tenant: string, id: string) => Promise<Task>;
}

/** Refuses calls that their caller may not make, before anything is looked up or created for them. */
export class Authorization {
  readonly #options: AuthorizationOptions;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  /** Undefined where everybody may make every call. */
  static of(options: AuthorizationOptions): Authorization | undefined {
    return options.authorize || options.agent.skills.some(hasScopes) ? new Authorization(options) : undefined;
  }

  async check<Name extends OperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<void> {
    const { authorize } = this.#options;
    const isSend = call.operation === 'sendMessage' || call.operation === 'sendStreamingMessage';
    const skill = isSend ? await this.#skillOf(call, input as SendInput) : undefined;
    // Agents of this server have no scopes: what they may do for whom is decided by who wrote them, or by `authorize`.
    if (isSend && !isAgentCaller(call.caller)) this.#requireScopes(call.caller, skill);
    if (authorize && (await authorize(call, { input, skill })) === false) throw forbidden();
  }

  /** A later message of a task is for the skill of the first one, unless it names another. */
  async #skillOf(call: Call, { tenant, message }: SendInput): Promise<string | undefined> {
    const { agent, taskOf } = this.#options;
    const isNamed = typeof message.metadata?.skillId === 'string';
    if (isNamed || !message.taskId || agent.skills.length < 2) return skillOf(agent, message);
    const { history } = await taskOf(call, tenant, message.taskId);
    return skillOf(agent, history.find(isOfCaller) ?? message);
  }

  /** Without a named skill, the agent may do what any of them does. An unknown skill is refused later. */
  #requireScopes({ scopes }: Caller, wanted: string | undefined): void {
    const { skills } = this.#options.agent;
    for (const { id, scopes: needed = [] } of skills) {
      if (wanted !== undefined && wanted !== id) continue;
      const missing = needed.find((scope) => !scopes.includes(scope));
      if (missing !== undefined) throw forbiddenSkill(missing, wanted);
    }
  }
}

function hasScopes({ scopes = [] }: Agent['skills'][number]): boolean {
  return scopes.length > 0;
}

function isOfCaller({ role }: Message): boolean {
  return role === 'user';
}
