import { isPlainObject, type JsonObject, type JsonValue } from '../../../model/basics/json.ts';
import { type AskedQuestion, openQuestionsOf } from '../../../model/extensions/open-questions.ts';
import { QUESTIONS_EXTENSION } from '../../../model/extensions/questions.ts';
import { textOf } from '../../../model/parts.ts';
import type { TaskState } from '../../../model/states.ts';
import type { Message } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { readRequiredList } from '../../wire/request-members.ts';
import { RECEIVED_ROLES, ROLES } from '../enums.ts';
import { type WireMessage, withOptionalMembers } from '../task/messages.ts';
import { encodeParts, readPart } from './parts.ts';

/** The input that an agent wants from its client (seed S0.7). */
interface WireInputRequest {
  kind: 'input-request';
  prompt: string;
  sensitive: boolean;
  requestId: string;
}

interface WireAskingMessage extends WireMessage {
  inputRequest?: WireInputRequest;
  /** All that the agent waits for, oldest first, where that is more than one thing. */
  inputRequests?: WireInputRequest[];
}

export function encodeMessage(message: Message): WireAskingMessage {
  const wire: WireAskingMessage = {
    kind: 'message',
    role: message.role,
    parts: encodeParts(message),
    messageId: message.messageId,
  };
  withOptionalMembers(wire, { ...message, metadata: otherMetadata(message.metadata) });
  const requests = message.role === 'agent' ? openQuestionsOf(message).map(encodeRequest) : [];
  const [request] = requests;
  if (request) wire.inputRequest = request;
  if (requests.length > 1) wire.inputRequests = requests;
  return wire;
}

/** A task that waits for input has an input request, also where the agent has only asked in words. */
export function encodeStatusMessage(message: Message, state: TaskState): WireAskingMessage {
  const wire = encodeMessage(message);
  if (state !== 'input-required' || wire.inputRequest) return wire;
  return { ...wire, inputRequest: inputRequest(message.messageId, textOf(message), false) };
}

/** A message that a client sends; here it must say what it is. */
export function readSentMessage(members: Members): Message {
  if (members.value('kind') !== 'message') members.reject('kind', "must be 'message'");
  return readMessage(members, ROLES, readRequiredList(members, 'parts', undefined, readPart));
}

/** A message in an agent's reply. What it asks for is kept where programs look for it. */
export function readReceivedMessage(members: Members): Message {
  const message = readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
  const inputRequest = members.value('inputRequest');
  const inputRequests = members.value('inputRequests');
  if (!isPlainObject(inputRequest) && !Array.isArray(inputRequests)) return message;
  const asked: JsonObject = {
    ...(isPlainObject(inputRequest) && { inputRequest: inputRequest as JsonObject }),
    ...(Array.isArray(inputRequests) && { inputRequests: inputRequests as JsonValue[] }),
  };
  return { ...message, metadata: { ...message.metadata, ...asked } };
}

function encodeRequest({ id, prompt, sensitive }: AskedQuestion): WireInputRequest {
  return inputRequest(id, prompt, sensitive === true);
}

function inputRequest(requestId: string, prompt: string, sensitive: boolean): WireInputRequest {
  return { kind: 'input-request', prompt, sensitive, requestId };
}

const SAID_BY_REQUEST: ReadonlySet<string> = new Set(['id', 'prompt', 'sensitive', 'kind', 'requestId']);

/** The input request stands for the question's metadata; a question with more to say keeps it. */
function otherMetadata(metadata: JsonObject | undefined): JsonObject | undefined {
  if (!metadata) return undefined;
  const others = Object.entries(metadata).filter(([name, value]) => {
    if (name === 'inputRequests') return false;
    if (name !== QUESTIONS_EXTENSION && name !== 'inputRequest') return true;
    return !isPlainObject(value) || Object.keys(value).some((member) => !SAID_BY_REQUEST.has(member));
  });
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
