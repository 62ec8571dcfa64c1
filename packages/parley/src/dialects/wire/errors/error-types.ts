import { PROTOCOL_ERROR_CODES, type WireErrorCode } from '../../../model/errors/errors.ts';

/**
 * The names of errors in the documents, which some servers and clients send as `type` (reference: v03 §5). That of -32007
 * is 1.0's, the one that the clients know. What HTTP itself refuses has the name of its nearest code of JSON-RPC.
 */
export const ERROR_TYPES: Readonly<Record<WireErrorCode, string>> = {
  TASK_NOT_FOUND: 'TaskNotFoundError',
  TASK_NOT_CANCELABLE: 'TaskNotCancelableError',
  PUSH_NOTIFICATION_NOT_SUPPORTED: 'PushNotificationNotSupportedError',
  UNSUPPORTED_OPERATION: 'UnsupportedOperationError',
  CONTENT_TYPE_NOT_SUPPORTED: 'ContentTypeNotSupportedError',
  INVALID_AGENT_RESPONSE: 'InvalidAgentResponseError',
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 'ExtendedAgentCardNotConfiguredError',
  EXTENSION_SUPPORT_REQUIRED: 'ExtensionSupportRequiredError',
  VERSION_NOT_SUPPORTED: 'VersionNotSupportedError',
  PARSE_ERROR: 'JSONParseError',
  INVALID_REQUEST: 'InvalidRequestError',
  METHOD_NOT_FOUND: 'MethodNotFoundError',
  INVALID_PARAMS: 'InvalidParamsError',
  INTERNAL: 'InternalError',
  NOT_FOUND: 'MethodNotFoundError',
  METHOD_NOT_ALLOWED: 'InvalidRequestError',
  UNAUTHENTICATED: 'InternalError',
  PERMISSION_DENIED: 'InternalError',
  PAYLOAD_TOO_LARGE: 'InvalidRequestError',
  OVERLOADED: 'InternalError',
  UNAVAILABLE: 'InternalError',
};

/** The codes that JSON-RPC itself has, by their numbers from -32600 downwards. */
export const JSONRPC_OWN_CODES = ['INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'INTERNAL'] as const;

/** The codes of those names; of several the first. */
export const CODES_OF_TYPES: ReadonlyMap<unknown, WireErrorCode> = new Map<unknown, WireErrorCode>([
  ...[...PROTOCOL_ERROR_CODES, ...JSONRPC_OWN_CODES].map((code) => [typeOf(code), code] as const),
  ['JSONParseError', 'PARSE_ERROR'],
  ['AuthenticatedExtendedCardNotConfiguredError', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
]);

/** TASK_NOT_FOUND is TaskNotFoundError. */
function typeOf(code: string): string {
  return `${code.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`;
}
