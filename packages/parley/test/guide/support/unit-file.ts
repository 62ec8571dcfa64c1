/** A unit of systemd: for each section its directives in order, as often as they stand there. */
export type Unit = ReadonlyMap<string, readonly (readonly [name: string, value: string])[]>;

/** Throws where a line is neither a section, nor a directive, nor a comment. */
export function readUnit(text: string): Unit {
  const unit = new Map<string, [string, string][]>();
  let section: [string, string][] | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const name = /^\[([A-Za-z-]+)\]$/.exec(line)?.[1];
    const [, directive, value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      section = unit.get(name) ?? [];
      unit.set(name, section);
    } else if (section && directive !== undefined) section.push([directive, value]);
    else throw new Error(`This is no line of a unit: ${line}`);
  }
  return unit;
}

/** All values of a directive. */
export function valuesOf(unit: Unit, section: string, name: string): readonly string[] {
  return (unit.get(section) ?? []).filter(([directive]) => directive === name).map(([, value]) => value);
}

/** The variables that a service gets; later lines win, as systemd has it. */
export function environmentOf(unit: Unit): Readonly<Record<string, string>> {
  const pairs = valuesOf(unit, 'Service', 'Environment').flatMap((line) => line.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
