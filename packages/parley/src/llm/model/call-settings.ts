import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import type { ModelCall, Warning } from './model-types.ts';
import { PROVIDER } from './model-types.ts';

/** Settings of one model call, in `providerOptions.a2a`. They win over those of the model. */
export interface A2AModelSettings {
  /** Continues this conversation. The model then sends only the messages after the last one of the assistant. */
  readonly contextId?: string | undefined;
  /** Continues this task: the prompt answers its question. */
  readonly taskId?: string | undefined;
  /** The skill to use, by its id. */
  readonly skill?: string | undefined;
  /** Another tenant than that of the agent's interface. */
  readonly tenant?: string | undefined;
  /** Milliseconds for the call; then the client cancels the task. */
  readonly timeout?: number | undefined;
  /** Earlier tasks that the message refers to. */
  readonly referenceTaskIds?: readonly string[] | undefined;
  /** Metadata of the request. */
  readonly metadata?: JsonObject | undefined;
  /** Metadata of the message. */
  readonly messageMetadata?: JsonObject | undefined;
}

const isName = (value: unknown) => typeof value === 'string' && value !== '';

/** The settings by their names, with the words for what each of them must be. */
const CHECKS: { readonly [Name in keyof Required<A2AModelSettings>]: readonly [string, (value: unknown) => boolean] } =
  {
    contextId: ['a text that is not empty', isName],
    taskId: ['a text that is not empty', isName],
    skill: ['a text that is not empty', isName],
    tenant: ['a text', (value) => typeof value === 'string'],
    timeout: ['a number of milliseconds', (value) => typeof value === 'number' && value >= 0],
    referenceTaskIds: ['a list of texts', (value) => Array.isArray(value) && value.every(isName)],
    metadata: ['an object', isPlainObject],
    messageMetadata: ['an object', isPlainObject],
  };

/** Reads the settings of one call. A name that is not known is refused: a typing error would otherwise begin a new conversation. */
export function readSettings({ providerOptions }: ModelCall): A2AModelSettings {
  const given = providerOptions?.[PROVIDER];
  if (given === undefined) return {};
  if (!isPlainObject(given)) throw refusal('', 'must be an object');
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(CHECKS, name)) {
      throw refusal(`.${quoted(name)}`, `is none of its members: ${Object.keys(CHECKS).join(', ')}`);
    }
    const [expected, isRight] = CHECKS[name as keyof A2AModelSettings];
    if (value !== undefined && !isRight(value)) throw refusal(`.${name}`, `must be ${expected}`);
  }
  return given;
}

function refusal(member: string, problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `providerOptions.${PROVIDER}${member} ${problem}`);
}

/** Settings of the AI SDK that a remote agent has no place for. */
const INAPPLICABLE = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
] as const;

export function warnOfSettings(call: ModelCall): Warning[] {
  const details = 'The agent decides about its model itself';
  const warnings: Warning[] = INAPPLICABLE.filter((name) => isSet(call[name])).map((feature) => ({
    type: 'unsupported',
    feature,
    details,
  }));
  if (call.reasoning && call.reasoning !== 'provider-default') {
    warnings.push({ type: 'unsupported', feature: 'reasoning', details });
  }
  if (isSet(call.tools)) {
    warnings.push({ type: 'unsupported', feature: 'tools', details: 'The agent has tools of its own' });
  }
  return warnings;
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** The headers of a call; that of the SDK itself says nothing about the caller, and browsers would need leave to send it. */
export function headersOf({ headers = {} }: ModelCall): Record<string, string> {
  const set = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(set.filter(([name, value]) => name.toLowerCase() !== 'user-agent' || !/^ai\//.test(value)));
}
