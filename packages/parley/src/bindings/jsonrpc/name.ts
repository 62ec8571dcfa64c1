/** The name of JSON-RPC on cards. */
export const JSON_RPC = 'JSONRPC';
