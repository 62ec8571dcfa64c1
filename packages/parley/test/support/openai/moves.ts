/** Tokens as OpenAI counts them. */
export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

/** A piece of a message, in the names of OpenAI's protocol. */
export interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
}

export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function: { readonly name?: string; readonly arguments?: string };
}

/**
 * One thing that the server does while it responds. A string is a token of the answer. Without a `finish` the message ends by itself with
 * `stop`, or with `tool_calls` where it has some.
 */
export type Move =
  | string
  | { readonly delta: Delta }
  | { readonly finish: string }
  /** Replaces what the server counts: a token of the prompt for each message, one of the answer for each delta. */
  | { readonly usage: TokenCounts }
  /** Bytes as they are, which only a stream can carry. */
  | { readonly raw: string }
  /** Closes the connection at once; nothing is done after it. */
  | { readonly cut: true }
  /** Ends the response without a finish reason and without `[DONE]`. */
  | { readonly end: true };

/** Destroys the connection in the middle of the response. */
export const CUT: Move = { cut: true };

/** Ends the response early, as a proxy does that has lost the server behind it. */
export const END_EARLY: Move = { end: true };

export interface Call {
  readonly id: string;
  readonly name: string;
  /** A string is sent as it is, so that it may be malformed. */
  readonly input: unknown;
}

/** The calls of one message, all in pieces; pieces of several calls take turns, as those of real servers may. */
export function callTools(calls: readonly Call[], pieceLength = 4): readonly Move[] {
  const heads = calls.map(({ id, name }, index): ToolCallDelta => {
    return { index, id, type: 'function', function: { name, arguments: '' } };
  });
  const tails = calls.map(({ input }, index) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const pieces = text.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? [];
    return pieces.map((piece): ToolCallDelta => ({ index, function: { arguments: piece } }));
  });
  const longest = Math.max(0, ...tails.map((pieces) => pieces.length));
  const interleaved = Array.from({ length: longest }, (_, turn) =>
    tails.flatMap((pieces) => pieces[turn] ?? []),
  ).flat();
  return [...heads, ...interleaved].map((piece) => ({ delta: { tool_calls: [piece] } }));
}

/** One call of a tool. */
export function callTool(name: string, input: unknown, id = `call-${name}`): readonly Move[] {
  return callTools([{ id, name, input }]);
}

/** A thought of the model, apart from its answer. */
export function think(text: string): Move {
  return { delta: { reasoning_content: text } };
}

/** A text as tokens, each a word with the space before it. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
