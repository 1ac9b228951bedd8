import type { Language } from '@casewatch/contracts/languages';

/** What an e-mail says, part by part, for its text and its HTML. */
export interface Letter {
  readonly language: Language;
  readonly title: string;
  readonly parts: readonly Part[];
  /** The small print below the line. */
  readonly footer: readonly (string | Link)[];
}

export type Part =
  /** What the letter is about, above all else. */
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A sentence with the name of a case in it, and its new status at the end. */
  | {
      readonly kind: 'lead';
      readonly before: string;
      readonly name: string;
      readonly between: string;
      readonly status: string;
    }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** A list that opens with a click, where the mail program can. */
  | { readonly kind: 'folded'; readonly summary: string; readonly items: readonly string[] }
  | ({ readonly kind: 'link' } & Link);

export type Fact = readonly [label: string, value: string];

export interface Link {
  readonly label: string;
  readonly url: string;
}

export function letterText({ parts, footer }: Letter): string {
  return [...parts.map(partText), '-- ', ...footer.map(lineText)].join('\n\n');
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'lead':
      return `${part.before}${part.name}${part.between}${part.status}.`;
    case 'facts':
      return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'folded':
      return [part.summary, ...part.items.map((item) => `- ${item}`)].join('\n');
    case 'link':
      return lineText(part);
    default:
      return part.text;
  }
}

const lineText = (line: string | Link) => (typeof line === 'string' ? line : `${line.label}: ${line.url}`);

/**
 * Returns HTML without pictures, scripts or style sheets, one column from 320 px up. Text has no color of its own, so that mail
 * programs show it dark on light or light on dark; only the mark and the button bring both of their colors. Outlook for Windows,
 * which knows no `max-width` and no padding of links, gets a table of fixed width and the padding of the button's cell.
 */
export function letterHtml({ language, title, parts, footer }: Letter): string {
  return [
    `<!doctype html><html lang="${language}" style="color-scheme:light dark"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title></head><body style="${BODY}">`,
    preheader(parts),
    '<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->',
    HEADER,
    ...parts.map((part) => partHtml(part, part === parts.find(({ kind }) => kind === 'link'))),
    `<hr style="${LINE}">`,
    ...footerHtml(footer),
    '<!--[if mso]></td></tr></table><![endif]-->',
    '</body></html>',
  ].join('\n');
}

const BODY =
  'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:560px;margin:0 auto;padding:16px;overflow-wrap:anywhere';
const LINE = 'border:0;border-top:1px solid #8a8f98;margin:24px 0 16px';
const TITLE = 'font-size:20px;line-height:1.3;margin:0 0 12px';
/** The color of the product: `--cw-primary` of the web. */
const BRAND = '#0b5d57';
const BUTTON_CELL = `border-radius:8px;background:${BRAND};mso-padding-alt:10px 18px`;
const BUTTON = `display:inline-block;padding:10px 18px;border-radius:8px;background:${BRAND};color:#ffffff;font-weight:600;text-decoration:none`;
const STEP = `background:${BRAND};color:#8fd3c9`;

/** The name with the mark, three steps of a case of which the last is reached: characters, since mail programs hide pictures. */
const HEADER = [
  '<table role="presentation" cellspacing="0" cellpadding="0" style="margin:0 0 20px"><tr>',
  `<td bgcolor="${BRAND}" aria-hidden="true" style="padding:4px 8px;border-radius:8px;font-size:12px;${STEP}">`,
  `&#9679;&#9679;<span style="background:${BRAND};color:#ffc46b">&#9679;</span></td>`,
  '<td style="padding:0 0 0 10px;font-size:17px;font-weight:700">Casewatch</td></tr></table>',
].join('');

/** What a list of e-mails shows beside the subject: the first sentences of the letter, and no more than them. */
function preheader(parts: readonly Part[]): string {
  const first = parts.find((part) => part.kind === 'text')?.text ?? '';
  const rest = '&#847;&zwnj;&nbsp;'.repeat(PREHEADER_ROOM);
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(first)}${rest}</div>`;
}

/** Blanks after it, so that no mail program goes on to read the header and the facts. */
const PREHEADER_ROOM = 60;

/** The first link of a letter is its button; any other is a link. */
function partHtml(part: Part, isButton: boolean): string {
  switch (part.kind) {
    case 'title':
      return `<h1 style="${TITLE}">${escapeHtml(part.text)}</h1>`;
    case 'lead':
      return `<p style="font-size:18px;line-height:1.4;margin:0 0 16px">${escapeHtml(part.before)}<strong>${escapeHtml(part.name)}</strong>${escapeHtml(part.between)}<strong>${escapeHtml(part.status)}</strong>.</p>`;
    case 'facts':
      return part.facts.map(factHtml).join('\n');
    case 'folded':
      return `<details style="margin:20px 0"><summary style="font-weight:600">${escapeHtml(part.summary)}</summary><ul style="padding-left:20px">${part.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul></details>`;
    case 'heading':
      return `<h2 style="font-size:16px;margin:20px 0 4px">${escapeHtml(part.text)}</h2>`;
    case 'link':
      if (!isButton) return `<p style="margin:8px 0;font-weight:600">${lineHtml(part)}</p>`;
      return `<table role="presentation" cellspacing="0" cellpadding="0" style="margin:24px 0"><tr><td bgcolor="${BRAND}" style="${BUTTON_CELL}"><a href="${escapeHtml(part.url)}" style="${BUTTON}">${escapeHtml(part.label)}</a></td></tr></table>`;
    default:
      return `<p style="margin:8px 0">${escapeHtml(part.text)}</p>`;
  }
}

/** Links that follow each other share a line. */
function footerHtml(footer: Letter['footer']): string[] {
  const lines: string[] = [];
  for (const [nth, line] of footer.entries()) {
    const before = typeof line === 'string' || typeof footer[nth - 1] !== 'object' ? undefined : lines.pop();
    lines.push(before === undefined ? lineHtml(line) : `${before} &middot; ${lineHtml(line)}`);
  }
  return lines.map((line) => `<p style="font-size:14px;margin:8px 0">${line}</p>`);
}

function factHtml([label, value]: Fact): string {
  return `<p style="margin:4px 0"><strong>${escapeHtml(label)}:</strong> ${escapeHtml(value)}</p>`;
}

function lineHtml(line: string | Link): string {
  if (typeof line === 'string') return escapeHtml(line);
  return `<a href="${escapeHtml(line.url)}" style="color:inherit">${escapeHtml(line.label)}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text as HTML that shows it, between tags or within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
