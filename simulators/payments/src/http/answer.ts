export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: `${JSON.stringify(body, null, 2)}\n`,
  };
}

export function redirectAnswer(location: string): Answer {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}

/** Returns a page of the simulator. `body` is HTML: escape everything from outside in it. */
export function pageAnswer(options: {
  title: string;
  body: string;
  /** A module of the simulator that the page runs. */
  script?: string;
  /** Whether other sites may show it in a frame. */
  framed?: boolean;
  status?: number;
}): Answer {
  const { title, body, script, framed = false, status = 200 } = options;
  const scripts = script ? `<script type="module" src="/pages/assets/${script}"></script>` : '';
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': [
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
        `base-uri 'none'; frame-ancestors ${framed ? '*' : "'none'"}`,
      ].join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/assets/pages.css">
${scripts}
</head>
<body>${framed ? `<div class="framed">${body}</div>` : `<main>${body}</main>`}</body>
</html>
`,
  };
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
