import type { ToolFile, ToolOutput } from './tool-result.ts';

type ModelContent =
  | { type: 'text'; text: string }
  | { type: 'file'; data: { type: 'data'; data: string }; mediaType: string; filename?: string };

/** The output of a tool as the AI SDK hands it to a model. Its lists are not `readonly`, because those of the SDK are not. */
export type ModelOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: ModelContent[] };

/**
 * All of a result in one text, which models of every provider can read; files that were asked for inline stand behind it as
 * files, for providers that take those.
 */
export function modelOutputOf(result: ToolOutput): ModelOutput {
  const { output, success, error, data, files = [], filesLeftOut } = result;
  if (!success) return { type: 'error-text', value: error ?? 'The agent did not succeed' };
  const json = data === undefined ? '' : JSON.stringify(data);
  const rest = filesLeftOut === undefined ? '' : `[${filesLeftOut} more files are left out]`;
  const shown = [output, json === output ? '' : json, ...files.map(describe), rest];
  const text = shown.filter((piece) => piece !== '').join('\n\n');
  const inline = files.flatMap(contentOf);
  if (inline.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...inline] };
}

function describe({ name = 'without a name', mediaType, size, url, text }: ToolFile): string {
  const facts = [mediaType, size === undefined ? undefined : `${size} bytes`, url].filter((fact) => fact !== undefined);
  const head = `[file ${name}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}]`;
  return text === undefined ? head : `${head}\n${text}`;
}

function contentOf({ name, mediaType = 'application/octet-stream', base64 }: ToolFile): ModelContent[] {
  if (base64 === undefined) return [];
  return [
    { type: 'file', data: { type: 'data', data: base64 }, mediaType, ...(name !== undefined && { filename: name }) },
  ];
}
