import { editPages, type WebFiles } from './web-files.ts';

export interface SupportContact {
  email?: string | undefined;
  url?: string | undefined;
}

/**
 * Writes where support is into every page, as attributes of `html`: the app reads them without a request, so that it can
 * offer support when nothing else answers, and styles hide what only an installation with support may promise.
 */
export function withSupportContact(files: WebFiles, { email, url }: SupportContact): WebFiles {
  if (!email && !url) return files;
  const attributes = [
    'data-support=""',
    ...(email ? [`data-support-email="${escapeAttribute(email)}"`] : []),
    ...(url ? [`data-support-url="${escapeAttribute(url)}"`] : []),
  ].join(' ');
  return editPages(files, (page) => page.replace(/<html\b/i, () => `<html ${attributes}`));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
