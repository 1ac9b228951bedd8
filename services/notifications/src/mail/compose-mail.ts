import '@casewatch/contracts/es/texts';
import { emailLinkPath } from '@casewatch/contracts/app-pages';
import type { Language } from '@casewatch/contracts/languages';
import { NOTIFICATION_PAGE, UNSUBSCRIBE_PAGE, unsubscribe } from '@casewatch/contracts/notifications';
import { planWords } from '@casewatch/contracts/plan-words';
import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { policyPage } from '@casewatch/contracts/server-paths';
import { guidanceFor, needsAction } from '@casewatch/contracts/status-guide';
import { statusName } from '@casewatch/contracts/status-names';
import { dateWords } from '../domain/date-words.ts';
import type { Addressed, Mail, MailComposer, Notice } from '../domain/mailer.ts';
import type { DateSubject, PlanSubject, StatusSubject } from '../domain/subject.ts';
import { inLanguage, momentIn, oneLine, planDayIn } from '../domain/texts.ts';
import { type Fact, type Letter, type Link, letterHtml, letterText } from './letter.ts';

export const OFFICIAL_URL = 'https://egov.uscis.gov/';

/**
 * Writes the e-mail of a notification: what changed, what it means, what to do next, and one link. Receipt numbers are
 * masked: e-mail is read on lock screens and kept by outsiders; so the link names the notification, which leads its owner
 * to the case. What people and the agency wrote becomes one line each, and in HTML nothing but text.
 * The domain of the message id is that of `from`, the rest the notification's id.
 */
export function createMailComposer({ from, publicUrl }: { from: string; publicUrl: string }): MailComposer {
  const domain = messageDomain(from);
  const urlOf = (path: string) => new URL(emailLinkPath(path), publicUrl).href;

  return (notice, addressed) => {
    const { subject } = notice;
    if (subject.kind === 'date') return dateMail({ ...notice, subject }, addressed, urlOf, domain);
    return subject.kind === 'plan'
      ? planMail({ ...notice, subject }, addressed, urlOf, domain)
      : statusMail({ ...notice, subject }, addressed, urlOf, domain);
  };
}

export type UrlOf = (path: string) => string;

function planMail(
  { notificationId, subject, timeZone }: Notice & { subject: PlanSubject },
  { to, language, date }: Addressed,
  urlOf: UrlOf,
  domain: string,
): Mail {
  const { title, text, action } = planWords(
    subject,
    planDayIn(language, subject.effectiveAt, timeZone),
    language,
  );
  const letter: Letter = {
    language,
    title,
    parts: [
      { kind: 'title', text: title },
      { kind: 'text', text },
      { kind: 'link', label: action.label, url: urlOf(action.path) },
    ],
    footer: [...unofficial(language), WORDS.aboutPlan[language], ...policyLinks(language, urlOf)],
  };
  return {
    to,
    language,
    subject: `Casewatch: ${title}`,
    ...bodiesOf(letter),
    messageId: `<${notificationId}.plan-milestone-reached@${domain}>`,
    date,
  };
}

function dateMail(
  { notificationId, subject, nickname }: Notice & { subject: DateSubject },
  { to, language, unsubscribeToken, date }: Addressed,
  urlOf: UrlOf,
  domain: string,
): Mail {
  const token = encodeURIComponent(unsubscribeToken);
  const words = inLanguage(WORDS, language);
  const title = `${dateWords(subject, language)}: ${caseName(subject.receiptNumber, nickname)}`;
  const label = oneLine(subject.label ?? '');
  const letter: Letter = {
    language,
    title,
    parts: [
      { kind: 'title', text: title },
      ...(label === '' ? [] : [{ kind: 'facts', facts: [[words.note, label]] } as const]),
      { kind: 'text', text: words.entered },
      { kind: 'link', label: words.see, url: urlOf(`${NOTIFICATION_PAGE}/${notificationId}`) },
    ],
    footer: [
      ...unofficial(language),
      words.aboutDate,
      { label: words.stop, url: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`) },
      ...policyLinks(language, urlOf),
    ],
  };
  return {
    to,
    language,
    subject: title,
    ...bodiesOf(letter),
    messageId: `<${notificationId}.date-reminder@${domain}>`,
    date,
    unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
  };
}

function statusMail(
  {
    notificationId,
    subject,
    createdAt,
    newerStatus,
    timeZone,
    nickname,
    formType,
    own,
  }: Notice & { subject: StatusSubject },
  { to, language, unsubscribeToken, date }: Addressed,
  urlOf: UrlOf,
  domain: string,
): Mail {
  const token = encodeURIComponent(unsubscribeToken);
  const name = caseName(subject.receiptNumber, nickname);
  const words = inLanguage(WORDS, language);
  const nameOf = (title: string) => oneLine(statusName(title, language, own));
  const status = nameOf(subject.newStatus);
  // The change comes first: of a long subject, phones show no more than the beginning.
  const title = newerStatus === undefined ? `${status}: ${name}` : words.earlier(status, name);
  const form = oneLine(formType ?? '');
  const presentStatus = oneLine(newerStatus ?? subject.newStatus);
  const { means, todo } = guidanceFor(presentStatus, form, language);
  const facts: Fact[] = [
    ...(newerStatus === undefined ? [] : [[words.statusNow, nameOf(presentStatus)] as const]),
    ...(subject.oldStatus === null ? [] : [[words.oldStatus, nameOf(subject.oldStatus)] as const]),
    ...(form === '' ? [] : [[words.form, form] as const]),
    [words.noticed, momentIn(language, createdAt, timeZone)],
  ];
  const letter: Letter = {
    language,
    title,
    parts: [
      {
        kind: 'lead',
        before: words.before,
        name,
        between: newerStatus === undefined ? words.between : words.betweenEarlier,
        status,
      },
      { kind: 'facts', facts },
      { kind: 'heading', text: words.means },
      { kind: 'text', text: means },
      { kind: 'heading', text: words.todo },
      { kind: 'text', text: todo },
      ...(needsAction(presentStatus) ? [{ kind: 'text', text: words.askDate } as const] : []),
      { kind: 'link', label: words.see, url: urlOf(`${NOTIFICATION_PAGE}/${notificationId}`) },
    ],
    footer: [
      notAdvice(language),
      ...unofficial(language),
      words.aboutCase,
      { label: words.stop, url: urlOf(`${UNSUBSCRIBE_PAGE}#${token}`) },
      ...policyLinks(language, urlOf),
    ],
  };
  return {
    to,
    language,
    subject: title,
    ...bodiesOf(letter),
    messageId: `<${notificationId}.status-changed@${domain}>`,
    date,
    unsubscribeUrl: urlOf(`${unsubscribe.path}?token=${token}`),
  };
}

/** Returns what the user calls a case, with its masked receipt number, on one line. */
export function caseName(receiptNumber: string, nickname: string | null | undefined): string {
  const masked = maskReceiptNumber(receiptNumber);
  const called = oneLine(nickname ?? '');
  return called === '' ? masked : `${called} (${masked})`;
}

export function bodiesOf(letter: Letter): Pick<Mail, 'text' | 'html'> {
  return { text: letterText(letter), html: letterHtml(letter) };
}

/** Returns the domain of message ids: that of the sender's address. */
export function messageDomain(from: string): string {
  return /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
}

const WORDS = {
  /** Around the name of the case; the new status follows. */
  before: { en: 'Your case ', es: 'Su caso ' },
  between: { en: ' has a new status: ', es: ' tiene un estatus nuevo: ' },
  /** Where a newer status is known, which is `statusNow`. */
  betweenEarlier: { en: ' had this status before: ', es: ' tuvo antes este estatus: ' },
  earlier: {
    en: (status: string, name: string) => `Earlier status, ${status}: ${name}`,
    es: (status: string, name: string) => `Estatus anterior, ${status}: ${name}`,
  },
  statusNow: { en: 'Status now', es: 'Estatus actual' },
  oldStatus: { en: 'Old status', es: 'Estatus anterior' },
  form: { en: 'Form', es: 'Formulario' },
  noticed: { en: 'Detected', es: 'Detectado' },
  means: { en: 'What this means', es: 'Qué significa' },
  todo: { en: 'What you may need to do', es: 'Lo que tal vez tenga que hacer' },
  see: { en: 'See it in Casewatch', es: 'Verlo en Casewatch' },
  aboutCase: {
    en: 'You get this email because you monitor this case.',
    es: 'Recibe este correo electrónico porque monitorea este caso.',
  },
  askDate: {
    en: 'What date is printed on the notice? Enter it on the page of the case, and Casewatch will remind you.',
    es: '¿Qué fecha está impresa en la notificación? Anótela en la página del caso y Casewatch se la recordará.',
  },
  note: { en: 'Your note', es: 'Su nota' },
  entered: {
    en: 'You entered this date from a notice. If the notice says something different, follow the notice. Reminders end when you mark the date as done.',
    es: 'Usted anotó esta fecha de una notificación. Si la notificación dice otra cosa, siga lo que dice la notificación. Los recordatorios terminan cuando la marque como lista.',
  },
  aboutDate: {
    en: 'You get this email because you entered this date for your case.',
    es: 'Recibe este correo electrónico porque anotó esta fecha en su caso.',
  },
  stop: { en: 'Stop these emails', es: 'Dejar de recibir estos correos electrónicos' },
  aboutPlan: {
    en: 'You get this email because it is about your Casewatch plan.',
    es: 'Recibe este correo electrónico porque trata de su plan de Casewatch.',
  },
  notAdvice: {
    en: 'The explanation is general information, not legal advice. If a USCIS notice says something different, follow the notice.',
    es: 'La explicación es información general, no asesoría legal. Si una notificación de USCIS dice algo diferente, siga lo que dice la notificación.',
  },
  unofficial: {
    en: 'Casewatch is an unofficial tool and is not affiliated with any government agency.',
    es: 'Casewatch es una herramienta no oficial y no está afiliada a ninguna agencia del gobierno.',
  },
  privacy: { en: 'Privacy policy', es: 'Política de privacidad' },
  terms: { en: 'Terms of use', es: 'Términos de uso' },
  official: {
    en: 'For official information, visit the USCIS Case Status website',
    es: 'Para información oficial, visite el sitio web de estatus de casos de USCIS',
  },
};

export const notAdvice = (language: Language): string => WORDS.notAdvice[language];

export const unofficialTool = (language: Language): string => WORDS.unofficial[language];

export function unofficial(language: Language): readonly (string | Link)[] {
  return [unofficialTool(language), { label: WORDS.official[language], url: OFFICIAL_URL }];
}

/** Returns links to the pages that say who sends the e-mail, and what is done with its reader's data. */
export function policyLinks(language: Language, urlOf: UrlOf): readonly Link[] {
  return (['privacy', 'terms'] as const).map((name) => ({
    label: WORDS[name][language],
    url: urlOf(policyPage(name)),
  }));
}
