/** The headers of requests to webhooks, in lower case. The first three are those of Standard Webhooks. */
export const ID_HEADER = 'webhook-id';
export const TIMESTAMP_HEADER = 'webhook-timestamp';
export const SIGNATURE_HEADER = 'webhook-signature';
/** The place of the event in the task's log. */
export const SEQ_HEADER = 'parley-seq';
/** The token of the config (reference: v1-operations §10). */
export const TOKEN_HEADER = 'x-a2a-notification-token';
