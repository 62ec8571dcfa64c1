/** The headers of Standard Webhooks, in lower case. */
export const ID_HEADER = 'webhook-id';
export const TIMESTAMP_HEADER = 'webhook-timestamp';
export const SIGNATURE_HEADER = 'webhook-signature';
/** The place of the event in the task's log. */
export const SEQ_HEADER = 'parley-seq';
/** The token of the config. Most peers send the first name, a few the second (reference: v1-operations §10). */
export const TOKEN_HEADERS = ['x-a2a-notification-token', 'a2a-notification-token'] as const;
/** The JWT of a notification. */
export const JWT_HEADER = 'x-a2a-notification-jwt';
