export interface Instruction {
  readonly name: string;
  /** Options such as `--from=packages`, without the dashes. */
  readonly options: Readonly<Record<string, string>>;
  readonly text: string;
  /** The words, or those of the JSON form. */
  readonly words: readonly string[];
}

/** Lines that end with a backslash go on in the next one. */
export function readDockerfile(text: string): readonly Instruction[] {
  const lines = text.replace(/\\\n\s*/g, '').split('\n');
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map(readInstruction);
}

function readInstruction(line: string): Instruction {
  const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
  if (!KNOWN.includes(name)) throw new Error(`This is no instruction of a Dockerfile: ${line}`);
  const [options = ''] = /^(?:--[a-z-]+=\S+ )*/.exec(rest) ?? [];
  const text = rest.slice(options.length);
  const pairs = [...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]);
  const json = text.startsWith('[') ? text : undefined;
  return { name, options: Object.fromEntries(pairs), text, words: json ? JSON.parse(json) : text.split(/\s+/) };
}

const KNOWN = [
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'VOLUME', 'USER', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'CMD'],
];

/** Says which files of the folder reach the build; `!` takes a file back in, and the last line that fits wins. */
export function isSent(file: string, ignored: string): boolean {
  let isIgnored = false;
  for (const line of ignored.split('\n').filter((one) => one !== '')) {
    const pattern = line.replace(/^!/, '').replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
    if (new RegExp(`^${pattern}$`).test(file)) isIgnored = !line.startsWith('!');
  }
  return !isIgnored;
}
