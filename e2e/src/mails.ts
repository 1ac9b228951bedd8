import { startMailbox } from '../../host/src/mailbox.ts';
import { type StartedProduct, startProduct } from './start-product.ts';

export interface KeptMail {
  to: string;
  subject: string;
  /** The addresses in its text, in order. */
  links: URL[];
}

export interface MailingProduct extends StartedProduct {
  /** Every e-mail that it has sent, the newest first. */
  mails(): Promise<KeptMail[]>;
}

/** Starts a product of its own that sends e-mails, each of which ends in a mailbox on this machine. */
export async function startMailingProduct(env: Record<string, string> = {}): Promise<MailingProduct> {
  const mailbox = await startMailbox(0);
  try {
    const product = await startProduct({ ...mailbox.env, ...env });
    return {
      ...product,
      mails: () => readMails(mailbox.url),
      stop: async () => {
        await product.stop();
        await mailbox.stop();
      },
    };
  } catch (error) {
    await mailbox.stop();
    throw error;
  }
}

async function readMails(url: string): Promise<KeptMail[]> {
  const page = await (await fetch(url)).text();
  return [...page.matchAll(/<article>.*?<\/article>/gs)].map(([article]) => ({
    to: unescapeHtml(/<p>To (\S+),/.exec(article)?.[1] ?? ''),
    subject: unescapeHtml(/<h2[^>]*>(.*?)<\/h2>/s.exec(article)?.[1] ?? ''),
    links: [...article.matchAll(/<a href="(https?:[^"]+)"/g)].map(
      ([, href = '']) => new URL(unescapeHtml(href)),
    ),
  }));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescapeHtml = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');
