import type { JsonValue } from '../../../model/basics/json.ts';

/** Content of a tool's result, as MCP has it. */
export interface McpContent {
  readonly type: string;
  readonly text?: string | undefined;
  /** Base64. */
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string | undefined;
  readonly name?: string | undefined;
  readonly resource?:
    | {
        readonly uri: string;
        readonly mimeType?: string | undefined;
        readonly text?: string | undefined;
        readonly blob?: string | undefined;
      }
    | undefined;
}

/** The result of a tool. */
export interface McpToolOutput {
  readonly content: readonly McpContent[];
  readonly structuredContent?: unknown;
}

/** A part of a result as the AI SDK hands it to models. */
export type McpModelPart =
  | { type: 'text'; text: string }
  | {
      type: 'file';
      mediaType: string;
      filename?: string;
      data: { type: 'data'; data: string } | { type: 'url'; url: URL };
    };

/** A result as the AI SDK hands it to models. */
export type McpModelOutput = { type: 'text'; value: string } | { type: 'content'; value: McpModelPart[] };

/** The result as a model gets it: texts, and files with their bytes. */
export function modelOutputOf({ content, structuredContent }: McpToolOutput): McpModelOutput {
  const parts = content.map(partOf);
  if (parts.length === 0 && structuredContent !== undefined) {
    return { type: 'text', value: JSON.stringify(structuredContent as JsonValue) };
  }
  const isText = parts.every((part) => part.type === 'text');
  return isText
    ? { type: 'text', value: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }
    : { type: 'content', value: parts };
}

function partOf(content: McpContent): McpModelPart {
  const { type, text, data, mimeType = 'application/octet-stream', uri, name, resource } = content;
  if (type === 'text') return { type: 'text', text: text ?? '' };
  if ((type === 'image' || type === 'audio') && data !== undefined) return fileOf(data, mimeType);
  if (type === 'resource' && resource) {
    if (resource.text !== undefined) return { type: 'text', text: resource.text };
    const filename = lastOf(resource.uri);
    if (resource.blob !== undefined) return fileOf(resource.blob, resource.mimeType ?? mimeType, filename);
  }
  // A link may lead anywhere: the model is told of it, and it is not fetched.
  if (type === 'resource_link') return { type: 'text', text: [name, uri].filter(Boolean).join(': ') };
  return { type: 'text', text: JSON.stringify(content) };
}

function fileOf(data: string, mediaType: string, filename?: string): McpModelPart {
  return { type: 'file', mediaType, ...(filename && { filename }), data: { type: 'data', data } };
}

function lastOf(uri: string): string | undefined {
  return URL.parse(uri)?.pathname.split('/').at(-1) || undefined;
}

/** All texts of a result, for its error. */
export function textIn({ content }: McpToolOutput): string {
  return content.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text])).join('\n');
}
