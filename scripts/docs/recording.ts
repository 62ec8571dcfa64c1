/** A piece of text that appears in a terminal at a moment. */
export interface Piece {
  /** Seconds since the command was typed. */
  readonly at: number;
  readonly text: string;
  readonly isOutput: boolean;
}

/** A command and what it printed. */
export interface Recorded {
  readonly command: string;
  readonly pieces: readonly Piece[];
}

const WIDTH = 760;
const LEFT = 20;
const COLUMN = 8.43;
const LINE = 22;
const BEFORE_COMMAND = 36;
/** Pauses in seconds: before a command is typed, until it is there, until it is run, after its last output. */
const PAUSES = { prompt: 0.2, typed: 0.2, run: 0.8, end: 0.6 };

const STYLE = `    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; opacity: 0; animation: show 0.15s linear forwards; white-space: pre; }
    .p { fill: #7ee787; } .c { fill: #e6edf3; } .o { fill: #a5d6ff; } .d { fill: #8b949e; }
    @keyframes show { to { opacity: 1; } }
    @media (prefers-reduced-motion: reduce) { text { animation: none; opacity: 1; } }`;

/** Draws a session as a picture that plays once. */
export function drawRecording(title: string, session: readonly Recorded[]): string {
  const texts: string[] = [];
  let line = 62;
  let now = 0;
  const put = (kind: string, column: number, delay: number, text: string) =>
    texts.push(
      `  <text x="${(LEFT + column * COLUMN).toFixed(1)}" y="${line}" class="${kind}" style="animation-delay:${delay.toFixed(1)}s">${escaped(text)}</text>`,
    );
  for (const [index, { command, pieces }] of session.entries()) {
    if (index > 0) line += BEFORE_COMMAND;
    put('p', 0, now + PAUSES.prompt, '$');
    put('c', 2, now + PAUSES.prompt + PAUSES.typed, command);
    now += PAUSES.prompt + PAUSES.typed + PAUSES.run;
    const first = pieces[0]?.at ?? 0;
    let column = 0;
    line += LINE + 4;
    for (const [number, { at, text, isOutput }] of pieces.entries()) {
      for (const [part, words] of text.split('\n').entries()) {
        if (part > 0) {
          column = 0;
          const isLast = number === pieces.length - 1 && words === '' && part === text.split('\n').length - 1;
          if (!isLast) line += LINE;
        }
        if (words !== '') put(isOutput ? 'o' : 'd', column, now + at - first, words);
        column += words.length;
      }
    }
    now += (pieces.at(-1)?.at ?? 0) - first + PAUSES.end;
  }
  const height = line + 34;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${22 + index * 18}" cy="20" r="5" fill="${color}" />`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    `  <title id="title">${escaped(title)}</title>`,
    '  <style>',
    STYLE,
    '  </style>',
    `  <rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117" />`,
    `  ${dots.join('')}`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

/** The lines of a picture as a reader sees them, commands with their `$`. */
export function linesOf(picture: string): readonly string[] {
  const lines = new Map<string, string>();
  for (const [, y = '', kind, text = ''] of picture.matchAll(
    /<text [^>]*y="(\d+)" class="(\w)"[^>]*>([^<]*)<\/text>/g,
  )) {
    lines.set(y, `${lines.get(y) ?? ''}${kind === 'p' ? '$ ' : unescaped(text)}`);
  }
  return [...lines.values()];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
