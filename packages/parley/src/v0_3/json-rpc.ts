/** `null` only in answers to a request whose id could not be read. */
export type JSONRPCId = string | number | null;

export interface JSONRPCMessage {
  jsonrpc: '2.0';
}

export interface JSONRPCRequest<Params = unknown> extends JSONRPCMessage {
  id: JSONRPCId;
  method: string;
  params?: Params;
}

export interface JSONRPCSuccessResponse<Result = unknown> extends JSONRPCMessage {
  /** That of the request. */
  id: JSONRPCId;
  result: Result;
}

export interface JSONRPCError {
  code: number;
  message: string;
  data?: unknown;
}

export interface JSONRPCErrorResponse extends JSONRPCMessage {
  id: JSONRPCId;
  error: JSONRPCError;
}

/** The body of an answer, and of every frame of a stream. */
export type JSONRPCResponse<Result = unknown> = JSONRPCSuccessResponse<Result> | JSONRPCErrorResponse;
