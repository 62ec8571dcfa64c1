import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';

const MOST_HEADERS = 64;
export const HEADER_CHARACTERS = 8 * 1024;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
/** Those that belong to one connection, and those that are set where a request is sent. */
const OWN_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|expect)$/;

/** The headers that an operator gave for requests to an agent, in lower case. Throws INVALID_PARAMS with what is wrong. */
export function readGivenHeaders(given: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(given)) throw invalid('headers must be an object');
  const entries = Object.entries(given);
  if (entries.length > MOST_HEADERS) throw invalid(`headers must not be more than ${MOST_HEADERS}`);
  const read: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw invalid(`headers has a name that is none: "${quoted(name)}"`);
    if (typeof value !== 'string' || value.length > HEADER_CHARACTERS || !isOneLine(value)) {
      throw invalid(`headers["${quoted(name)}"] must be a text of one line, at most ${HEADER_CHARACTERS} characters`);
    }
    if (!OWN_HEADERS.test(name.toLowerCase())) read[name.toLowerCase()] = value;
  }
  return read;
}

/** Tells whether the text has no character that would end a header; a tab is allowed. */
function isOneLine(text: string): boolean {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return false;
  }
  return true;
}

function invalid(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
