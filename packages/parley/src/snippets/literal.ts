import { escapedControls } from '../cli/text/clean.ts';

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;
const LINE_WIDTH = 100;

/** A value of JSON as TypeScript writes it. Members that are undefined are left out. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((member) => literal(member, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${nameLiteral(name)}: ${literal(member, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return open + close;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${members.join(', ')}${space}${close}`;
  if (line.length + indent.length <= LINE_WIDTH && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}

/** A text between single quotes. Characters that disguise or break source text are escaped. */
export function textLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escapedControls(inner)}'`;
}

/** `__proto__` in a literal would set the prototype instead of a member. */
function nameLiteral(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return PLAIN_NAME.test(name) ? name : textLiteral(name);
}
