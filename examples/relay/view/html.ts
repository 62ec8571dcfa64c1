const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped, unless they are markup themselves. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const written = values.map((value) => {
    if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  });
  return { markup: String.raw({ raw: strings }, ...written) };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
