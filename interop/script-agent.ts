import { bytes, bytesOf, defineAgent, fail, inputRequired, json, link, type Part, reply, text } from 'parley-a2a';

export const FILE_IN_HEX = '00ff10807f0a0d2001fe9c3b5ad2e16f4488b7c3';
export const FILE = { mediaType: 'application/octet-stream', filename: 'figures.bin' };
export const LINK = 'https://files.example.com/figures.csv';
export const LINK_TYPE = 'text/csv';
export const DATA = { quarter: 'Q4', figures: [1, 2.5, -3], final: true, note: null };

/** Holds runs until they are released. */
export class Gates {
  #open = Promise.withResolvers<void>();

  wait(): Promise<void> {
    return this.#open.promise;
  }

  release(): void {
    this.#open.resolve();
    this.#open = Promise.withResolvers<void>();
  }
}

/**
 * The agent that both sides serve: the first text of a message says what it does. The programs in the other languages
 * have the same one.
 */
export function scriptAgent(gates: Gates) {
  return defineAgent({
    name: 'scripted',
    description: 'Does what the first text says',
    version: '1.0.0',
    inputModes: ['text/plain', 'application/json', FILE.mediaType, LINK_TYPE],
    skills: [{ id: 'script', name: 'Script', description: 'Does what the text says', tags: ['test'] }],
    async *run(task) {
      const [first, ...others] = task.parts;
      const word = first?.kind === 'text' ? first.text : '';
      switch (word) {
        case 'reply':
          return reply('Hi');
        case 'ask':
          return inputRequired('Which?');
        case 'fail':
          return fail('It broke');
        case 'wait':
          await task.status('Waiting');
          await new Promise((resolve) => task.signal.addEventListener('abort', resolve, { once: true }));
          return undefined;
        case 'gate':
          yield 'one ';
          await gates.wait();
          yield 'two';
          return undefined;
        case 'chunks':
          for (const piece of ['one ', 'two ', 'three']) yield piece;
          return undefined;
        case 'receive':
          yield JSON.stringify(others.map(described));
          return undefined;
        case 'produce':
          yield [
            text('made'),
            bytes(Buffer.from(FILE_IN_HEX, 'hex'), FILE),
            link(LINK, { mediaType: LINK_TYPE }),
            json(DATA),
          ];
          return undefined;
        default:
          yield `You said ${word}`;
          return undefined;
      }
    },
  });
}

/** A part as it arrived; bytes are shown decoded, so that a wrong encoding is seen. */
function described(part: Part): unknown {
  const { mediaType, filename } = part;
  if (part.kind === 'bytes')
    return { kind: 'bytes', hex: Buffer.from(bytesOf(part)).toString('hex'), mediaType, filename };
  if (part.kind === 'link') return { kind: 'link', url: part.url, mediaType, filename };
  return part.kind === 'data' ? { kind: 'data', data: part.data } : { kind: 'text', text: part.text };
}
