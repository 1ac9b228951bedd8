import { emailLinkPath } from '@casewatch/contracts/app-pages';
import type { Language } from '@casewatch/contracts/languages';
import type { AccountMailComposer } from '../domain/account-mails.ts';
import { momentIn } from '../domain/texts.ts';
import { type AccountLetterWriter, englishLetter } from './account-letters.ts';
import { spanishLetter } from './account-letters-es.ts';
import { bodiesOf, messageDomain, unofficialTool } from './compose-mail.ts';
import type { Letter } from './letter.ts';

const WRITERS: Readonly<Record<Language, AccountLetterWriter>> = { en: englishLetter, es: spanishLetter };

/** Where people get support, if anywhere. */
interface Support {
  supportEmail?: string | undefined;
  supportUrl?: string | undefined;
}

/**
 * Creates the e-mails about an account. Links begin with the configured public URL, whatever the request's headers say, and their tokens
 * are in the fragment, which neither servers nor logs see. Opening one changes nothing: the page asks for a click.
 */
export function createAccountMailComposer({
  from,
  publicUrl,
  ...support
}: Support & {
  from: string;
  publicUrl: string;
}): AccountMailComposer {
  const page = (path: string) => new URL(emailLinkPath(path), publicUrl).href;
  return (mail) => {
    const { language } = mail;
    const { subject, parts } = WRITERS[language](mail, {
      page,
      at: momentIn(language, new Date(mail.requestedAt)),
      supportUrl: supportUrlOf(support, mail.mailId),
    });
    const letter: Letter = {
      language,
      title: subject,
      parts: parts.map((part) =>
        typeof part === 'string' ? { kind: 'text', text: part } : { kind: 'link', ...part },
      ),
      footer: [unofficialTool(language)],
    };
    return {
      to: mail.to,
      language,
      subject,
      ...bodiesOf(letter),
      messageId: `<${mail.mailId}.account@${messageDomain(from)}>`,
      date: new Date(mail.requestedAt),
    };
  };
}

/** An address that names the e-mail; undefined where there is no support. */
function supportUrlOf({ supportEmail, supportUrl }: Support, mailId: string): string | undefined {
  if (supportEmail) {
    const subject = encodeURIComponent(`Casewatch support (${mailId})`);
    return `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}`;
  }
  if (!supportUrl) return undefined;
  const url = new URL(supportUrl);
  url.searchParams.set('reference', mailId);
  return url.href;
}
