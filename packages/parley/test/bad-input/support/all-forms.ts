import { OFFERED_DIALECTS } from '../../../src/dialects/detect.ts';
import type { Form } from './forms.ts';
import { JSONRPC_V1, REST_V1 } from './forms-v1.ts';
import { JSONRPC_V03, PROTO_V03, REST_V03, ROOT_V03 } from './forms-v03.ts';

const offered = new Set(OFFERED_DIALECTS.map((dialect) => dialect.version));

/** Every binding and dialect that the server offers. */
export const FORMS: readonly Form[] = [JSONRPC_V1, REST_V1, JSONRPC_V03, REST_V03, PROTO_V03, ROOT_V03].filter((form) =>
  offered.has(form.version),
);

export const JSONRPC_FORMS: readonly Form[] = FORMS.filter((form) => form.binding === 'jsonrpc');
export const REST_FORMS: readonly Form[] = FORMS.filter((form) => form.binding === 'rest');

/** The newest form of the same binding: its shape have errors that come before a request's dialect is known. */
export function newestOf({ binding }: Form): Form {
  return binding === 'jsonrpc' ? JSONRPC_V1 : REST_V1;
}
