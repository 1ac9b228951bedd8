import { emailLinkPath } from '@casewatch/contracts/app-pages';
import type { AccountMailComposer } from '../domain/account-mails.ts';
import { momentIn } from '../domain/texts.ts';
import { accountLetter } from './account-letters.ts';
import { bodiesOf, messageDomain, policyLinks, unofficialTool } from './compose-mail.ts';
import type { Letter, Part } from './letter.ts';

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
    const date = new Date(mail.requestedAt);
    const letterInAll = accountLetter(mail, {
      page,
      at: { en: momentIn('en', date), es: momentIn('es', date) },
      supportUrl: supportUrlOf(support, mail.mailId),
    });
    const subject = letterInAll.subject[language];
    const letter: Letter = {
      language,
      title: subject,
      parts: [
        { kind: 'title', text: subject },
        ...letterInAll.parts.map(
          (part): Part =>
            'url' in part
              ? { kind: 'link', label: part.label[language], url: part.url }
              : { kind: 'text', text: part[language] },
        ),
      ],
      footer: [unofficialTool(language), ...policyLinks(language, page)],
    };
    return {
      to: mail.to,
      language,
      subject,
      ...bodiesOf(letter),
      messageId: `<${mail.mailId}.account@${messageDomain(from)}>`,
      date,
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
