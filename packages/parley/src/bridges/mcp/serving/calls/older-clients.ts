import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/** The versions of MCP that brought a kind of content; clients of older ones refuse the whole result. */
const AUDIO_SINCE = '2025-03-26';
const LINKS_SINCE = '2025-06-18';

/** The result in content that the client's version has: audio as a resource, a link as text. */
export function resultFor(version: string | undefined, result: CallToolResult): CallToolResult {
  if (version === undefined || version >= LINKS_SINCE) return result;
  return { ...result, content: result.content.map((block, index) => blockFor(version, block, index)) };
}

function blockFor(version: string, block: ContentBlock, index: number): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: block.name === block.uri ? block.uri : `${block.name}: ${block.uri}` };
  }
  if (block.type !== 'audio' || version >= AUDIO_SINCE) return block;
  const { data, mimeType } = block;
  return { type: 'resource', resource: { uri: `a2a://file/audio-${index}`, mimeType, blob: data } };
}
