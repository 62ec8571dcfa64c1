import type { Agent } from '../../agent/agent.ts';
import { requireSkill } from '../../agent/skills/skills.ts';
import { isCovered } from '../../bindings/http/media-type.ts';
import type { Call } from '../../model/call.ts';
import { RESUME_EXTENSION } from '../../model/card.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import {
  type Capability,
  OPERATIONS,
  type Operation,
  type OperationName,
  type SendInput,
} from '../../model/operations.ts';
import type { Part } from '../../model/task.ts';
import { COMMON_EXTENSIONS, PUSH } from '../cards/card.ts';
import { requireNameable } from '../extensions/named-extensions.ts';
import { requireWithin } from '../limits/message-limits.ts';

export interface AdmissionOptions {
  readonly agent: Agent;
  /** Webhooks are told of the agent's tasks. */
  readonly hasPush: boolean;
  /** If a call brings none. */
  readonly limits: InputLimits;
}

/** Some agents name kinds of parts where others name media types (seed S2, AgentCard). */
const MODE_OF: Readonly<Record<Part['kind'], string>> = { text: 'text', data: 'data', bytes: 'file', link: 'file' };

/** Extensions of a request that an error repeats. */
const MOST_REPEATED = 10;

const SENDS: ReadonlySet<OperationName> = new Set(['sendMessage', 'sendStreamingMessage']);

/** Admits what an agent's card offers: operations, extensions, skills and content types. */
export class Admission {
  readonly #options: AdmissionOptions;
  /** The URIs of the extensions on the card, in its order. */
  readonly #known: readonly string[];

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { agent, hasPush } = options;
    const declared = [...COMMON_EXTENSIONS, ...(hasPush ? [PUSH] : []), ...agent.extensions];
    this.#known = [...new Set(declared.map(({ uri }) => uri))];
  }

  /** Refuses an operation that the card does not offer, or that lacks a required extension. Returns the active ones. */
  readonly admit = (call: Call): readonly string[] => {
    if (call.extensions.length > 0) requireNameable(call.extensions, call.limits ?? this.#options.limits);
    const active = this.activeExtensions(call);
    if (SENDS.has(call.operation)) this.#requireExtensions(active, call);
    this.#requireCapability(call.operation);
    return active;
  };

  /** `resumes`: the parameters name a position, as the resume extension lets them. */
  activeExtensions(call: Call, resumes = false): readonly string[] {
    const asksToResume = resumes || call.resumeAt !== undefined || call.idempotencyKey !== undefined;
    if (!asksToResume && call.extensions.length === 0) return [];
    return this.#known.filter((uri) => call.extensions.includes(uri) || (asksToResume && uri === RESUME_EXTENSION));
  }

  /** Refuses a message that the agent does not take. */
  admitSend(input: SendInput, { limits = this.#options.limits }: Pick<Call, 'limits'>): void {
    if (input.pushConfig && !this.#options.hasPush) refusePush();
    requireWithin(input.message, limits);
    this.#requireContentTypes(input);
    requireSkill(this.#options.agent, input.message);
  }

  #requireExtensions(active: readonly string[], { extensions }: Call): void {
    const required = this.#options.agent.extensions.filter((one) => one.required).map((one) => one.uri);
    const missing = required.filter((uri) => !active.includes(uri));
    if (missing.length === 0) return;
    const provided = extensions.slice(0, MOST_REPEATED).map(quoted);
    throw new A2AError(
      'EXTENSION_SUPPORT_REQUIRED',
      `This agent needs the extension ${missing.join(', ')}: name it in A2A-Extensions (0.3: X-A2A-Extensions). The request names ` +
        (provided.join(', ') || 'none'),
      { metadata: { required: required.join(','), provided: provided.join(',') }, lists: { required, provided } },
    );
  }

  #requireCapability(operation: OperationName): void {
    const { capability }: Operation = OPERATIONS[operation];
    if (!capability || this.#offers(capability)) return;
    if (capability === 'pushNotifications') refusePush();
    const what = capability === 'streaming' ? 'stream' : 'have an extended card';
    throw new A2AError('UNSUPPORTED_OPERATION', `This agent does not ${what}`, { metadata: { capability } });
  }

  #offers(capability: Capability): boolean {
    const { agent, hasPush } = this.#options;
    if (capability === 'streaming') return agent.streaming;
    if (capability === 'pushNotifications') return hasPush;
    return agent.extendedCard !== undefined;
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
        { metadata: { mediaType: quoted(part.mediaType), accepted: accepted.join(',') } },
      );
    }
  }
}

function refusePush(): never {
  throw new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent does not send push notifications');
}
