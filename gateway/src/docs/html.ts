/** Text that is HTML already. */
export interface Html {
  readonly text: string;
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML; every value is escaped unless it is HTML itself. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return raw(texts.reduce((made, text, index) => made + render(parts[index - 1] ?? '') + text));
}

export function raw(text: string): Html {
  return { text };
}

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  if ('text' in part) return part.text;
  return part.map(({ text }) => text).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
