export interface ProxyRules {
  /** Where requests go. */
  readonly target: string;
  /** Headers that the proxy sets, by their names in lower case; '' takes a header away. */
  readonly headers: ReadonlyMap<string, string>;
  /** Directives of the location and of the server with one value. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Reads as much of nginx's language as one server with one location needs; throws where the braces are not balanced. */
export function readNginx(text: string): ProxyRules {
  const opened = text.split('{').length - 1;
  if (opened !== text.split('}').length - 1) throw new Error('The braces of nginx.conf are not balanced');
  const lines = text.split('\n').map((line) => line.trim());
  const broken = lines.find((line) => line !== '' && !/[{};]$/.test(line));
  if (broken !== undefined) throw new Error(`A line of nginx.conf has no end: ${broken}`);
  const words = lines.filter((line) => line.endsWith(';')).map((line) => line.slice(0, -1).split(/\s+/));
  const headers = words
    .filter(([name]) => name === 'proxy_set_header')
    .map(([, name = '', value = '']) => [name, value]);
  const settings = new Map(words.filter(({ length }) => length === 2).map(([name = '', value = '']) => [name, value]));
  return {
    target: settings.get('proxy_pass') ?? '',
    headers: new Map(headers.map(([name = '', value = '']) => [name.toLowerCase(), value.replaceAll('"', '')])),
    settings,
  };
}

/** The value of a header with nginx's variables filled in. */
export function fillIn(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(/\$(\w+)/g, (_, name: string) => {
    const found = variables[name];
    if (found === undefined) throw new Error(`nginx.conf uses $${name}, which this proxy does not know`);
    return found;
  });
}
