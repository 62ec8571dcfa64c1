/** One line of the text of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i;

/** Reads the exposition format; throws on a line that is none. */
export function samplesOf(text: string): readonly Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [
      label,
      text,
    ]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}
