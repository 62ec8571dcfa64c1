import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Surroundings } from '../surroundings.ts';

/** The user's action at a prompt. */
export type Entry =
  | { readonly kind: 'text'; readonly text: string }
  /** Ctrl-C on an empty line. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D, or the end of a pipe. */
  | { readonly kind: 'end' };

export interface Prompter {
  ask(prompt: string, hidden: boolean): Promise<Entry>;
  close(): void;
}

export function prompterOf(surroundings: Surroundings): Prompter {
  return surroundings.stdin.isTTY ? new TerminalPrompter(surroundings) : new PipePrompter(surroundings);
}

/** Lines that are pasted together come together. */
const PASTE_MILLISECONDS = 25;

/** Asks with line editing and a history; each prompt has the keyboard for itself, so that Ctrl-C works in between. */
class TerminalPrompter implements Prompter {
  readonly #surroundings: Surroundings;
  #history: string[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  ask(prompt: string, hidden: boolean): Promise<Entry> {
    const { stdin, stderr } = this.#surroundings;
    // Hidden input is echoed nowhere.
    const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
    const editor = createInterface({
      input: stdin,
      output,
      terminal: true,
      prompt,
      history: hidden ? [] : [...this.#history],
      historySize: 500,
    });
    return new Promise((resolve) => {
      const lines: string[] = [];
      let timer: NodeJS.Timeout | undefined;
      let isSettled = false;
      const settle = (entry: Entry) => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        if (hidden || entry.kind !== 'text') stderr.write('\n');
        editor.close();
        resolve(entry);
      };
      const whenQuiet = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          // The end of what was pasted is still being edited.
          if (editor.line !== '') return;
          const text = lines.join('\n');
          if (!hidden && text.trim() !== '')
            this.#history = [text.replaceAll('\n', ' '), ...this.#history].slice(0, 500);
          settle({ kind: 'text', text });
        }, PASTE_MILLISECONDS);
      };
      editor.on('line', (line) => {
        if (line.endsWith('\\') && !hidden) {
          lines.push(line.slice(0, -1));
          editor.setPrompt('… ');
          editor.prompt();
          clearTimeout(timer);
          return;
        }
        lines.push(line);
        whenQuiet();
      });
      editor.on('SIGINT', () => {
        const isEmpty = editor.line === '' && lines.length === 0;
        if (isEmpty) settle({ kind: 'interrupt' });
        else restart(editor, lines, prompt);
      });
      editor.on('close', () => settle({ kind: 'end' }));
      // By now the terminal no longer echoes: the prompt waits for that.
      if (hidden) stderr.write(prompt);
      else editor.prompt();
    });
  }

  close(): void {}
}

/** Ctrl-C on a line that is not empty clears it, as in shells. */
function restart(editor: Interface, lines: string[], prompt: string): void {
  lines.length = 0;
  editor.write(null, { ctrl: true, name: 'e' });
  editor.write(null, { ctrl: true, name: 'u' });
  editor.setPrompt(prompt);
  editor.prompt();
}

/** One line of a pipe after the other; nothing is asked. */
class PipePrompter implements Prompter {
  readonly #editor: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor({ stdin }: Surroundings) {
    this.#editor = createInterface({ input: stdin, terminal: false });
    this.#lines = this.#editor[Symbol.asyncIterator]();
  }

  async ask(): Promise<Entry> {
    const step = await this.#lines.next();
    return step.done ? { kind: 'end' } : { kind: 'text', text: step.value };
  }

  close(): void {
    this.#editor.close();
  }
}
