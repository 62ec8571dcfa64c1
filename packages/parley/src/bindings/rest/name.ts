/** The name of HTTP+JSON on cards. */
export const HTTP_JSON = 'HTTP+JSON';
