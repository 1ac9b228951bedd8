import { emailLinkPath } from '@casewatch/contracts/app-pages';
import type { Language, Translated } from '@casewatch/contracts/languages';
import { UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import { statusName } from '@casewatch/contracts/status-names';
import type { DigestComposer } from '../domain/digest-mails.ts';
import type { DigestKind } from '../domain/digest-schedule.ts';
import type { ChangedCase, UnchangedCase } from '../domain/digests.ts';
import { dayIn, inLanguage, oneLine } from '../domain/texts.ts';
import { bodiesOf, caseName, messageDomain, notAdvice, policyLinks, unofficial } from './compose-mail.ts';
import type { Letter, Part } from './letter.ts';

/** Cases of each part that are written out; the rest is counted. */
const MOST = 50;
/** Statuses of one case that are written out; those in the middle are left out. */
const MAX_STATUSES = 6;

/** Writes the e-mail of a digest: what changed first, with what to do next, and the rest folded. */
export function createDigestComposer({
  from,
  publicUrl,
}: {
  from: string;
  publicUrl: string;
}): DigestComposer {
  const urlOf = (path: string) => new URL(emailLinkPath(path), publicUrl).href;
  return (
    { id, kind, period },
    { changed, hasMoreChanged, unchanged, hasMoreUnchanged },
    { to, language, unsubscribeToken, date },
  ) => {
    const words = inLanguage(WORDS, language);
    const token = encodeURIComponent(unsubscribeToken);
    const day = dayIn(language, new Date(`${period}T00:00:00Z`));
    const title = changed.length === 0 ? words.noChange : words.changed(changed.length, hasMoreChanged);
    const letter: Letter = {
      language,
      title,
      parts: [
        { kind: 'title', text: words.opening(kind, day, changed.length === 0 ? undefined : title) },
        ...changed.slice(0, MOST).flatMap((one) => changedParts(one, language)),
        ...moreOf(changed, hasMoreChanged ? words.someMore : words.more),
        ...unchangedParts(unchanged, hasMoreUnchanged, language),
        { kind: 'link', label: words.see, url: urlOf('/saved-cases') },
      ],
      footer: [
        ...(changed.length > 0 ? [notAdvice(language)] : []),
        ...unofficial(language),
        words.why(kind),
        { label: words.stop, url: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`) },
        ...policyLinks(language, urlOf),
      ],
    };
    return {
      to,
      language,
      subject: `Casewatch: ${changed.length === 0 ? words.noChangeAtAll : title}`,
      ...bodiesOf(letter),
      messageId: `<${id}.digest@${messageDomain(from)}>`,
      date,
      unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
    };
  };
}

function changedParts(
  { receiptNumber, nickname, formType, oldStatus, between, newStatus, own }: ChangedCase,
  language: Language,
): Part[] {
  const status = oneLine(newStatus);
  const names = [oldStatus ?? [], between, newStatus]
    .flat()
    .map((each) => oneLine(statusName(each, language, own)));
  if (names.length > MAX_STATUSES) names.splice(1, names.length - MAX_STATUSES + 1, '…');
  const way = names.join(' → ');
  const change = names.length === 1 ? `${WORDS.newStatus[language]}: ${way}` : way;
  return [
    { kind: 'heading', text: caseName(receiptNumber, nickname) },
    { kind: 'text', text: change },
    { kind: 'text', text: guidanceFor(status, oneLine(formType ?? ''), language).todo },
  ];
}

function unchangedParts(cases: readonly UnchangedCase[], hasMore: boolean, language: Language): Part[] {
  if (cases.length === 0) return [];
  const words = inLanguage(WORDS, language);
  const items = cases.slice(0, MOST).map(({ days, isAtLeast, ...one }) => {
    const isSaid = days !== undefined && !(isAtLeast && days === 0);
    const since = isSaid ? `, ${isAtLeast ? words.atLeast : ''}${words.days(days)}` : '';
    const status = oneLine(statusName(one.status, language, one));
    return `${caseName(one.receiptNumber, one.nickname)}: ${status}${since}`;
  });
  const summary = words.unchanged(cases.length, hasMore);
  return [{ kind: 'folded', summary, items }, ...moreOf(cases, hasMore ? words.someMore : words.more)];
}

function moreOf(cases: readonly unknown[], inWords: (more: number) => string): Part[] {
  const more = cases.length - MOST;
  return more > 0 ? [{ kind: 'text', text: inWords(more) }] : [];
}

const casos = (count: number) => (count === 1 ? '1 caso' : `${count} casos`);
const DIGEST: Readonly<Record<DigestKind, Translated>> = {
  daily: { en: 'daily digest', es: 'resumen diario' },
  weekly: { en: 'weekly digest', es: 'resumen semanal' },
};

/** `hasMore`: there may be others. */
const WORDS = {
  noChange: { en: 'No change', es: 'Sin cambios' },
  /** The same at the end of a subject. */
  noChangeAtAll: { en: 'no change', es: 'sin cambios' },
  changed: {
    en: (cases: number, hasMore: boolean) =>
      `${cases} ${hasMore ? 'or more ' : ''}${cases === 1 && !hasMore ? 'case' : 'cases'} changed`,
    es: (cases: number, hasMore: boolean) => `${casos(cases)}${hasMore ? ' o más' : ''} con cambios`,
  },
  /** `changed`: how many cases did; undefined: none. */
  opening: {
    en: (kind: DigestKind, day: string, changed = 'nothing has changed') =>
      `Your ${DIGEST[kind].en} for ${day}: ${changed}.`,
    es: (kind: DigestKind, day: string, changed = 'nada ha cambiado') =>
      `Su ${DIGEST[kind].es} del ${day}: ${changed}.`,
  },
  newStatus: { en: 'New status', es: 'Estatus nuevo' },
  atLeast: { en: 'at least ', es: 'al menos ' },
  days: {
    en: (count: number) =>
      `${count === 0 ? 'less than a day' : count === 1 ? '1 day' : `${count} days`} in this status`,
    es: (count: number) =>
      `${count === 0 ? 'menos de un día' : count === 1 ? '1 día' : `${count} días`} en este estatus`,
  },
  unchanged: {
    en: (cases: number, hasMore: boolean) =>
      `No change: ${hasMore ? 'at least ' : ''}${cases} ${cases === 1 ? 'case' : 'cases'}`,
    es: (cases: number, hasMore: boolean) => `Sin cambios: ${hasMore ? 'al menos ' : ''}${casos(cases)}`,
  },
  more: {
    en: (cases: number) => `And ${cases} more in Casewatch.`,
    es: (cases: number) => `Y ${cases} más en Casewatch.`,
  },
  someMore: { en: () => 'And more in Casewatch.', es: () => 'Y más en Casewatch.' },
  see: { en: 'See your cases in Casewatch', es: 'Ver sus casos en Casewatch' },
  why: {
    en: (kind: DigestKind) => `You get this email because you chose a ${DIGEST[kind].en}.`,
    es: (kind: DigestKind) => `Recibe este correo electrónico porque eligió un ${DIGEST[kind].es}.`,
  },
  stop: { en: 'Stop digests', es: 'Dejar de recibir resúmenes' },
};
