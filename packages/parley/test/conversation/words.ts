import type { Part, TaskState } from 'parley-a2a';
import type { JsonObject } from '../../src/model/basics/json.ts';
import type { Wire } from '../support/rpc.ts';
import type { Words } from './forms.ts';
import type { Sending } from './peer.ts';

const PREFIX = 'TASK_STATE_';

/** `TASK_STATE_INPUT_REQUIRED` -> `input-required`. */
function stateOfName(name: string, canceled: string): TaskState {
  if (!name.startsWith(PREFIX)) throw new Error(`No state of this form: ${name}`);
  if (name === canceled) return 'canceled';
  return name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-') as TaskState;
}

const PLAIN_STATE = /^[a-z]+(-[a-z]+)*$/;

function stateOfWord(word: string): TaskState {
  if (!PLAIN_STATE.test(word)) throw new Error(`No state of this form: ${word}`);
  return word as TaskState;
}

/** A2A 1.0: the member that is set tells the kind. */
export const WORDS_10: Words = {
  parts: 'parts',
  kinds: false,
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
  stateOf: (name) => stateOfName(name, 'TASK_STATE_CANCELED'),
  encodePart(part) {
    const { mediaType, filename, metadata } = part;
    const beside = { mediaType, filename, metadata };
    switch (part.kind) {
      case 'text':
        return { text: part.text, ...beside };
      case 'bytes':
        return { raw: part.bytes, ...beside };
      case 'link':
        return { url: part.url, ...beside };
      case 'data':
        return { data: part.data, ...beside };
    }
  },
  readPart({ text, raw, url, data, mediaType, filename, metadata }) {
    const beside = { mediaType, filename, metadata };
    if (text !== undefined) return { kind: 'text', text, ...beside };
    if (raw !== undefined) return { kind: 'bytes', bytes: raw, ...beside };
    return url === undefined ? { kind: 'data', data, ...beside } : { kind: 'link', url, ...beside };
  },
  configuration: ({ atOnce, historyLength }) => ({ returnImmediately: atOnce, historyLength }),
};

const COMPAT = 'data_part_compat';

/** What is not an object travels under `value`, with a marker. */
function wrapData({ data, metadata }: Extract<Part, { kind: 'data' }>): Wire {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { data, metadata };
  return { data: { value: data }, metadata: { ...metadata, [COMPAT]: true } };
}

function unwrapData(data: Wire, metadata: JsonObject | undefined): Part {
  if (metadata?.[COMPAT] !== true) return { kind: 'data', data, metadata };
  const { [COMPAT]: _, ...rest } = metadata;
  return { kind: 'data', data: data.value, metadata: Object.keys(rest).length > 0 ? rest : undefined };
}

const configuration = ({ atOnce, historyLength }: Sending): Wire => ({
  blocking: atOnce === undefined ? undefined : !atOnce,
  historyLength,
});

/** The JSON types of the 0.3 text: `kind` everywhere, lower case. */
export const WORDS_03_TEXT: Words = {
  parts: 'parts',
  kinds: true,
  user: 'user',
  agent: 'agent',
  stateOf: stateOfWord,
  encodePart(part) {
    const { mediaType: mimeType, filename: name, metadata } = part;
    switch (part.kind) {
      case 'text':
        return { kind: 'text', text: part.text, metadata };
      case 'bytes':
        return { kind: 'file', file: { bytes: part.bytes, mimeType, name }, metadata };
      case 'link':
        return { kind: 'file', file: { uri: part.url, mimeType, name }, metadata };
      case 'data':
        return { kind: 'data', ...wrapData(part) };
    }
  },
  readPart({ kind, text, file, data, metadata }) {
    switch (kind) {
      case 'text':
        return { kind: 'text', text, metadata };
      case 'data':
        return unwrapData(data, metadata);
      case 'file': {
        const beside = { mediaType: file.mimeType, filename: file.name, metadata };
        if (file.uri === undefined) return { kind: 'bytes', bytes: file.bytes, ...beside };
        return { kind: 'link', url: file.uri, ...beside };
      }
      default:
        throw new Error(`No part of this form: ${kind}`);
    }
  },
  configuration,
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64 of base64, unless the server was shown that its caller wants it once. */
function bytesIn(fileWithBytes: string): string {
  const inner = atob(fileWithBytes);
  return BASE64.test(inner) ? inner : fileWithBytes;
}

/** The ProtoJSON of the 0.3 proto: `content`, no `kind`, two Ls in CANCELLED. */
export const WORDS_03_PROTO: Words = {
  parts: 'content',
  kinds: false,
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
  stateOf: (name) => stateOfName(name, 'TASK_STATE_CANCELLED'),
  encodePart(part) {
    const { mediaType: mimeType, filename: name, metadata } = part;
    switch (part.kind) {
      case 'text':
        return { text: part.text, metadata };
      case 'bytes':
        return { file: { fileWithBytes: part.bytes, mimeType, name }, metadata };
      case 'link':
        return { file: { fileWithUri: part.url, mimeType, name }, metadata };
      case 'data': {
        const { data, metadata: marked } = wrapData(part);
        return { data: { data }, metadata: marked };
      }
    }
  },
  readPart({ text, file, data, metadata }) {
    if (text !== undefined) return { kind: 'text', text, metadata };
    if (data !== undefined) return unwrapData(data.data, metadata);
    const beside = { mediaType: file.mimeType, filename: file.name, metadata };
    if (file.fileWithUri === undefined) return { kind: 'bytes', bytes: bytesIn(file.fileWithBytes), ...beside };
    return { kind: 'link', url: file.fileWithUri, ...beside };
  },
  configuration,
};
