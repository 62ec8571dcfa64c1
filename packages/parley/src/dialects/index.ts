export type { CallingDialect, CallingRest, RestCallRequest, ResultDecoders, WireCard } from './calling/calling.ts';
export type { CompleteDialect, DialectDefinition } from './definition.ts';
export type {
  CardAddress,
  Dialect,
  DialectAddresses,
  DialectQuirks,
  DialectSigns,
  DialectWebhooks,
  ErrorCircumstances,
  ReadHeader,
  RequestSigns,
  RestPaths,
  RestRequest,
  RestShape,
  RestStatus,
  RpcError,
  SendSettings,
  StreamEncoder,
  StreamFrame,
  WireValue,
} from './dialect.ts';
export { jaf } from './jaf/definition.ts';
export { banterop } from './v0_3/banterop/definition.ts';
export { cogitator } from './v0_3/cogitator/definition.ts';
export { v0_3 } from './v0_3/definition.ts';
export { rxjs } from './v0_3/rxjs/definition.ts';
export { v1_0 } from './v1_0/definition.ts';
export { draft } from './v1_draft/definition.ts';
