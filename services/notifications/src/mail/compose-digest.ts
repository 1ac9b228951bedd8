import { UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import type { DigestComposer } from '../domain/digest-mails.ts';
import type { ChangedCase, UnchangedCase } from '../domain/digests.ts';
import { bodiesOf, caseName, messageDomain, NOT_ADVICE, UNOFFICIAL } from './compose-mail.ts';
import { type Letter, oneLine, type Part } from './letter.ts';

/** Cases of each part that are written out; the rest is counted. */
const MOST = 50;
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes the e-mail of a digest: what changed first, with what to do next, and the rest folded. */
export function createDigestComposer({
  from,
  publicUrl,
}: {
  from: string;
  publicUrl: string;
}): DigestComposer {
  const urlOf = (path: string) => new URL(path, publicUrl).href;
  return ({ id, kind, period }, { changed, unchanged }, { to, unsubscribeToken, date }) => {
    const token = encodeURIComponent(unsubscribeToken);
    const title = titleOf(changed);
    const letter: Letter = {
      title,
      parts: [
        {
          kind: 'text',
          text: `Your ${kind} digest of ${DAY.format(new Date(`${period}T00:00:00Z`))}: ${changed.length === 0 ? 'nothing has changed' : title}.`,
        },
        ...changed.slice(0, MOST).flatMap(changedParts),
        ...moreOf(changed),
        ...unchangedParts(unchanged),
        { kind: 'link', label: 'See your cases in Casewatch', url: urlOf('/saved-cases') },
      ],
      footer: [
        ...(changed.length > 0 ? [NOT_ADVICE] : []),
        ...UNOFFICIAL,
        `You get this e-mail because you chose a ${kind} digest.`,
        { label: 'Stop digests', url: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`) },
      ],
    };
    return {
      to,
      subject: `Casewatch: ${changed.length === 0 ? 'no change' : title}`,
      ...bodiesOf(letter),
      messageId: `<${id}.digest@${messageDomain(from)}>`,
      date,
      unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
    };
  };
}

const titleOf = ({ length }: readonly ChangedCase[]) =>
  length === 0 ? 'No change' : `${length} ${length === 1 ? 'case' : 'cases'} changed`;

function changedParts({ receiptNumber, nickname, formType, oldStatus, newStatus }: ChangedCase): Part[] {
  const status = oneLine(newStatus);
  const change = oldStatus === null ? `New status: ${status}` : `${oneLine(oldStatus)} → ${status}`;
  return [
    { kind: 'heading', text: caseName(receiptNumber, nickname) },
    { kind: 'text', text: change },
    { kind: 'text', text: guidanceFor(status, oneLine(formType ?? '')).todo },
  ];
}

function unchangedParts(cases: readonly UnchangedCase[]): Part[] {
  if (cases.length === 0) return [];
  const items = cases.slice(0, MOST).map(({ receiptNumber, nickname, status, days }) => {
    const since = days === undefined ? '' : `, ${days} ${days === 1 ? 'day' : 'days'} in this status`;
    return `${caseName(receiptNumber, nickname)}: ${oneLine(status)}${since}`;
  });
  const summary = `No change: ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}`;
  return [{ kind: 'folded', summary, items }, ...moreOf(cases)];
}

function moreOf(cases: readonly unknown[]): Part[] {
  const more = cases.length - MOST;
  return more > 0 ? [{ kind: 'text', text: `And ${more} more in Casewatch.` }] : [];
}
