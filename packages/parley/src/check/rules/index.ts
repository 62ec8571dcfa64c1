import type { Rule } from '../rule.ts';
import { SECURITY } from './access/security.ts';
import { TENANT } from './access/tenant.ts';
import { CARD_CONTENT } from './card/content.ts';
import { EXTENDED_CARD } from './card/extended.ts';
import { SERVED_CARD } from './card/served.ts';
import { CARD_SIGNING } from './card/signing.ts';
import { CARD_TRUTH } from './card/truth.ts';
import { EXTENSION_CASES } from './own/extensions.ts';
import { IDEMPOTENCY } from './own/idempotency.ts';
import { RUNS } from './own/runs.ts';
import { PUSH_CONFIGS } from './push/configs.ts';
import { DELIVERIES } from './push/deliveries.ts';
import { SEND_REFUSALS } from './send/refusals.ts';
import { SEND_RESULTS } from './send/results.ts';
import { RESUME_RULES } from './stream/resume.ts';
import { SEVERAL_STREAMS } from './stream/several.ts';
import { STREAM_SHAPE } from './stream/shape.ts';
import { CONTEXT } from './tasks/context.ts';
import { GET_AND_CANCEL } from './tasks/get-and-cancel.ts';
import { HISTORY } from './tasks/history.ts';
import { LIST } from './tasks/list.ts';
import { V03_JSON_RPC } from './v03/json-rpc.ts';
import { V03_CARD_AND_REST } from './v03/rest.ts';
import { ERRORS } from './wire/errors.ts';
import { EXTENSION } from './wire/extension.ts';
import { JSON_RULES } from './wire/json.ts';
import { JSON_RPC } from './wire/jsonrpc.ts';
import { PARTS } from './wire/parts.ts';
import { REST } from './wire/rest.ts';
import { VERSION } from './wire/version.ts';

/** Every check, in no particular order: the table of the reference has the order. */
export const RULES: readonly Rule[] = [
  ...SERVED_CARD,
  ...CARD_CONTENT,
  ...CARD_TRUTH,
  ...EXTENDED_CARD,
  ...CARD_SIGNING,
  ...SEND_RESULTS,
  ...SEND_REFUSALS,
  ...STREAM_SHAPE,
  ...SEVERAL_STREAMS,
  ...RESUME_RULES,
  ...GET_AND_CANCEL,
  ...LIST,
  ...HISTORY,
  ...CONTEXT,
  ...PARTS,
  ...JSON_RULES,
  ...ERRORS,
  ...JSON_RPC,
  ...REST,
  ...VERSION,
  ...EXTENSION,
  ...IDEMPOTENCY,
  ...RUNS,
  ...EXTENSION_CASES,
  ...SECURITY,
  ...TENANT,
  ...PUSH_CONFIGS,
  ...DELIVERIES,
  ...V03_JSON_RPC,
  ...V03_CARD_AND_REST,
];
