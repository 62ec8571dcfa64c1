import type { Random } from './random.ts';

/** Texts that readers of texts stumble over. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\ud800',
  '\u001b]0;x\u0007',
  'é',
  '../../etc/passwd',
  '%00',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  '-1',
  '1e400',
  '9007199254740993',
  'https://127.0.0.1:1/',
  'javascript:alert(1)',
  'data:text/plain;base64,AA==',
  'text/plain; charset="',
  'ROLE_USER',
  'ROLE_AGENT',
  'user',
  'agent',
  'message',
  'task',
  'TASK_STATE_COMPLETED',
  'completed',
  '2026-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'AA==',
  '_-_-',
  '====',
];

const ODD_NUMBERS = [0, -0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 32, 2 ** 53, Number.MIN_VALUE];

/** Members that mean something to JavaScript or to some dialect. */
export const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '0',
  'kind',
  'id',
  'taskId',
  'contextId',
  'parts',
  'content',
  'metadata',
  'file',
  'data',
  'text',
  'url',
  'raw',
  'role',
  'message',
  'configuration',
  'tenant',
  'jsonrpc',
  'method',
  'params',
];

/** Any value that JSON can have, often one of the wrong kind for where it is put. */
export function oddValue(random: Random): unknown {
  switch (random.below(10)) {
    case 0:
      return null;
    case 1:
      return random.once(2);
    case 2:
    case 3:
      return random.pick(ODD_NUMBERS);
    case 4:
      return [];
    case 5:
      return { [random.pick(ODD_NAMES)]: random.pick(ODD_TEXTS) };
    case 6:
      return Array.from({ length: random.below(20) }, () => random.pick(ODD_TEXTS));
    case 7:
      return nested(random);
    case 8:
      return longText(random);
    default:
      return random.pick(ODD_TEXTS);
  }
}

export function oddText(random: Random): string {
  return random.once(20) ? longText(random) : random.pick(ODD_TEXTS);
}

function longText(random: Random): string {
  return random.pick(['x', 'é', '\ud83d\ude00', 'A', '%']).repeat(2 ** random.below(13));
}

/** Up to twice as deep as the server allows. */
function nested(random: Random): unknown {
  let value: unknown = 1;
  const isList = random.once(2);
  for (let level = random.below(200); level > 0; level -= 1) value = isList ? [value] : { a: value };
  return value;
}
