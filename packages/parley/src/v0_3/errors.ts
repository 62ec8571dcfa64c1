import type { JSONRPCError } from './json-rpc.ts';

interface ErrorWith<Code extends number> extends JSONRPCError {
  code: Code;
}

export interface JSONParseError extends ErrorWith<-32700> {}
export interface InvalidRequestError extends ErrorWith<-32600> {}
export interface MethodNotFoundError extends ErrorWith<-32601> {}
export interface InvalidParamsError extends ErrorWith<-32602> {}
export interface InternalError extends ErrorWith<-32603> {}
export interface TaskNotFoundError extends ErrorWith<-32001> {}
export interface TaskNotCancelableError extends ErrorWith<-32002> {}
export interface PushNotificationNotSupportedError extends ErrorWith<-32003> {}
export interface UnsupportedOperationError extends ErrorWith<-32004> {}
export interface ContentTypeNotSupportedError extends ErrorWith<-32005> {}
export interface InvalidAgentResponseError extends ErrorWith<-32006> {}
export interface AuthenticatedExtendedCardNotConfiguredError extends ErrorWith<-32007> {}

/** An error that 0.3 names. Servers may send others between -32000 and -32099: those are `JSONRPCError`. */
export type A2AError =
  | JSONParseError
  | InvalidRequestError
  | MethodNotFoundError
  | InvalidParamsError
  | InternalError
  | TaskNotFoundError
  | TaskNotCancelableError
  | PushNotificationNotSupportedError
  | UnsupportedOperationError
  | ContentTypeNotSupportedError
  | InvalidAgentResponseError
  | AuthenticatedExtendedCardNotConfiguredError;

export type A2AErrorCode = A2AError['code'];
