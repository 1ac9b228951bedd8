import { ASK_A_LAWYER, NEW_ADDRESS, type Row } from './row.ts';

const WATCH_FOR_CARD = {
  en: `Watch for the card and check every line on it. ${NEW_ADDRESS.en}`,
  es: `Espere la tarjeta y revise cada línea. ${NEW_ADDRESS.es}`,
};
const DENIED = {
  en: 'USCIS denied this form. The decision notice has the reasons. It also says if you can appeal or file a motion.',
  es: 'USCIS denegó este formulario. El aviso de la decisión contiene las razones. También dice si puede apelar o presentar una moción.',
};
const APPEAL_LAW = '8 CFR 103.3(a)(2)(i), 103.5(a)(1)(i), 103.8(b)';

/** What an approval and a denial mean, which differs most by form. */
export const DECISIONS: readonly Row[] = [
  {
    titles: {
      'Case Was Approved': 'El caso fue aprobado',
      'Case Was Approved And A Decision Notice Was Sent':
        'El caso fue aprobado y se envió una notificación de decisión',
      'Case Was Approved And My Decision Was Emailed':
        'El caso fue aprobado y se envió mi decisión por correo electrónico',
    },
    phase: 'decision',
    en: 'USCIS approved what this form asks for. The approval notice says what it allows. → Read the approval notice and keep it. It says if another step is needed. If it does not come within a month, ask for a copy (uscis.gov/e-request).',
    es: 'USCIS aprobó lo que se pide en este formulario. El aviso de aprobación dice qué permite. → Lea el aviso de aprobación y guárdelo. Dice si hace falta otro paso. Si no llega en un mes, pida una copia (uscis.gov/e-request).',
    page: 'forms',
    forms: {
      'I-130': {
        en: 'USCIS accepts the family tie. This isn’t a visa or a green card by itself: the relative still has to apply for one when a visa is available. → If the relative is abroad, watch for the National Visa Center. If in the United States, see if Form I-485 can be filed.',
        es: 'USCIS acepta el parentesco. Esto por sí solo no es una visa ni una tarjeta verde: el familiar todavía tiene que solicitarla cuando haya una visa disponible. → Si el familiar está en el extranjero, espere noticias del Centro Nacional de Visas. Si está en Estados Unidos, vea si puede presentar el Formulario I-485.',
        page: 'consular',
      },
      'I-140': {
        en: 'USCIS accepts the job petition. This isn’t a green card by itself: the worker still has to apply for one when a visa is available. → Find the priority date on the approval notice and check the Visa Bulletin. When it is your turn, apply for a visa abroad or file Form I-485.',
        es: 'USCIS acepta la petición de empleo. Esto por sí solo no es una tarjeta verde: el trabajador todavía tiene que solicitarla cuando haya una visa disponible. → Busque la fecha de prioridad en el aviso de aprobación y revise el Boletín de Visas. Cuando llegue su turno, solicite la visa en el extranjero o presente el Formulario I-485.',
        page: 'greenCard',
      },
      'I-485': {
        en: `You are a permanent resident. The green card comes by mail. → Watch for the card, usually within a few weeks, and check every line. If it is valid for only two years, you must file to remove conditions in the 90 days before it expires. ${NEW_ADDRESS.en}`,
        es: `Usted es residente permanente. La tarjeta verde llega por correo postal. → Espere la tarjeta, por lo general unas semanas, y revise cada línea. Si vale solo dos años, debe pedir que se eliminen las condiciones en los 90 días antes de que venza. ${NEW_ADDRESS.es}`,
        page: 'greenCard',
        law: `8 CFR 216.4(a)(1); ${NEW_ADDRESS.law}`,
      },
      'I-765': {
        en: `You may work until the date on the card, which comes by mail. → Watch for the card and check its dates. Note when to renew it. ${NEW_ADDRESS.en}`,
        es: `Puede trabajar hasta la fecha que indica la tarjeta, que llega por correo postal. → Espere la tarjeta y revise sus fechas. Anote cuándo debe renovarla. ${NEW_ADDRESS.es}`,
        page: 'workPermit',
        law: NEW_ADDRESS.law,
      },
      'I-131': {
        en: 'The travel document was granted and comes by mail. → Do not leave the country before you hold it.',
        es: 'El documento de viaje fue concedido y llega por correo postal. → No salga del país hasta tenerlo en sus manos.',
        page: 'delivery',
      },
      'I-751': {
        en: `The conditions on your residence are removed. A ten-year card comes by mail. → ${WATCH_FOR_CARD.en}`,
        es: `Se eliminaron las condiciones de su residencia. Una tarjeta válida por diez años llega por correo postal. → ${WATCH_FOR_CARD.es}`,
        page: 'greenCard',
        law: `USCIS Policy Manual, Volume 6, Part I; ${NEW_ADDRESS.law}`,
      },
      'I-90': {
        en: `USCIS will replace your green card. The new card comes by mail. → ${WATCH_FOR_CARD.en}`,
        es: `USCIS reemplazará su tarjeta verde. La nueva tarjeta llega por correo postal. → ${WATCH_FOR_CARD.es}`,
        page: 'replaceCard',
        law: NEW_ADDRESS.law,
      },
      'N-400': {
        en: 'The application is approved. You become a citizen only when you take the oath. → Watch for the notice of the oath ceremony. Bring it and your green card.',
        es: 'La solicitud está aprobada. Usted obtiene la ciudadanía solo al prestar el juramento. → Espere el aviso de la ceremonia de juramento. Lleve el aviso y su tarjeta verde.',
        page: 'naturalization',
      },
      'I-129': {
        en: 'USCIS accepts the petition for the worker. It says for which job and until when. The visa or the status may need another step. → The employer and the worker check the dates on the approval notice. If abroad, the worker applies for the visa at a consulate.',
        es: 'USCIS acepta la petición para el trabajador. Dice para qué empleo y hasta cuándo. La visa o el estatus pueden requerir otro paso. → El empleador y el trabajador revisan las fechas del aviso de aprobación. Si está en el extranjero, el trabajador solicita la visa en un consulado.',
        page: 'forms',
      },
      'I-129F': {
        en: 'USCIS accepts the petition for the fiancé(e). This isn’t a visa by itself: a consulate decides on it after an interview. → Watch for the National Visa Center or the consulate. The approval is valid for four months, and the consulate can extend it.',
        es: 'USCIS acepta la petición para el prometido o la prometida. Esto por sí solo no es una visa: un consulado decide después de una entrevista. → Espere noticias del Centro Nacional de Visas o del consulado. La aprobación vale cuatro meses, y el consulado puede prorrogarla.',
        page: 'consular',
        law: '8 CFR 214.2(k)(5)',
      },
      'I-539': {
        en: 'Your stay was extended, or your status changed, until the date on the notice. → Note the new date. Keep the notice with your passport and your arrival record.',
        es: 'Su estadía fue extendida, o su estatus fue cambiado, hasta la fecha que indica el aviso. → Anote la nueva fecha. Guarde el aviso con su pasaporte y su registro de entrada.',
        page: 'forms',
      },
      'I-589': {
        en: 'Asylum was granted. You may stay and work in the United States. → You have two years from the date asylum was granted to ask for your spouse and children (Form I-730). Do not wait. The notice says when you can apply for a green card.',
        es: 'Se le concedió asilo. Puede quedarse y trabajar en Estados Unidos. → Tiene dos años desde la fecha en que se le concedió el asilo para pedir a su cónyuge e hijos (Formulario I-730). No espere. El aviso dice desde cuándo puede solicitar una tarjeta verde.',
        page: 'asylum',
        law: '8 CFR 208.21(c)-(d)',
      },
      'I-601A': {
        en: 'Your unlawful presence is waived for now. The waiver counts only when you leave and a consulate finds nothing else in the way. → Do not leave because of this status alone. Wait for the visa interview, and ask a lawyer before you go.',
        es: 'Su presencia ilegal queda perdonada de manera provisional. El perdón vale solo cuando usted sale del país y un consulado no encuentra otro impedimento. → No salga del país solo por este estatus. Espere la entrevista de la visa y consulte a un abogado antes de irse.',
        page: 'consular',
      },
      'I-730': {
        en: 'USCIS accepts the family tie to the refugee or asylee. Relatives abroad still need an interview and travel papers. → Watch for the notice: it says which office or consulate works on the case next.',
        es: 'USCIS acepta el parentesco con el refugiado o asilado. Los familiares en el extranjero todavía necesitan una entrevista y documentos de viaje. → Espere el aviso: dice qué oficina o consulado continúa con el caso.',
        page: 'consular',
      },
      'I-821': {
        en: 'Temporary Protected Status (TPS) was granted until the date on the notice. It is not permanent residence. → You must register again when USCIS says so for your country, and the period is short. Note the date on the notice.',
        es: 'Se le concedió el Estatus de Protección Temporal (TPS) hasta la fecha que indica el aviso. No es una residencia permanente. → Debe inscribirse de nuevo cuando USCIS lo anuncie para su país, y el período es corto. Anote la fecha del aviso.',
        page: 'forms',
      },
      'I-821D': {
        en: 'Deferred action (DACA) was granted until the date on the notice: your removal is put off. This is not a lawful status. → Ask to renew four to five months before that date, with the work permit.',
        es: 'Se le concedió la acción diferida (DACA) hasta la fecha que indica el aviso: su expulsión queda aplazada. Esto no es un estatus legal. → Pida la renovación de cuatro a cinco meses antes de esa fecha, junto con el permiso de trabajo.',
        page: 'forms',
        law: 'Form I-821D instructions: 120 to 150 days',
      },
      'N-600': {
        en: 'USCIS agrees that you are a citizen. The certificate comes next, often after an oath. → Watch for the notice of an appointment or for the certificate, and check every line on it.',
        es: 'USCIS reconoce su ciudadanía. Después recibirá el certificado, a menudo tras un juramento. → Espere el aviso de una cita o el certificado, y revise cada línea.',
        page: 'naturalization',
      },
    },
  },
  {
    titles: {
      'Case Was Approved And USCIS Notified The U.S. Consulate or Port of Entry':
        'El caso fue aprobado y USCIS avisó al consulado de EE. UU. o al puerto de entrada',
    },
    phase: 'decision',
    en: 'USCIS approved the case and notified the consulate or the port of entry. This isn’t a visa by itself. → The consulate is next. Watch for its letter or email, and keep the approval notice.',
    es: 'USCIS aprobó el caso y avisó al consulado o al puerto de entrada. Esto por sí solo no es una visa. → Lo que sigue es el consulado. Espere su carta o correo electrónico y guarde el aviso de aprobación.',
    notice: 'information',
    page: 'consular',
  },
  {
    titles: {
      'Case Was Denied': 'El caso fue denegado',
      'Case Was Denied And My Decision Notice Mailed':
        'El caso fue denegado y se envió por correo postal la notificación de la decisión',
      'Primary And Ancillary Benefits Were Denied': 'Se denegaron los beneficios principales y secundarios',
    },
    phase: 'decision',
    action: 'appeal by',
    en: `${DENIED.en} → Read the notice now. The time to appeal is usually 30 days (33 if the decision was mailed), counted from the date on the decision, not from the day it reaches you. ${ASK_A_LAWYER.en}`,
    es: `${DENIED.es} → Lea el aviso ya. El plazo para apelar suele ser de 30 días (33 si se envió por correo postal), contado desde la fecha de la decisión, no desde que le llega. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'appeals',
    law: APPEAL_LAW,
    forms: {
      'I-485': {
        en: `${DENIED.en} → Read the notice now. You may no longer be allowed to stay, and the case can go to immigration court. The time to act is short, usually 30 days (33 if mailed) from the date on it. ${ASK_A_LAWYER.en}`,
        es: `${DENIED.es} → Lea el aviso ya. Es posible que ya no tenga permiso para quedarse, y el caso puede pasar a un tribunal (corte) de inmigración. El plazo es corto, por lo general 30 días (33 si se envió por correo postal) desde su fecha. ${ASK_A_LAWYER.es}`,
        page: 'lawyer',
      },
      'I-539': {
        en: `${DENIED.en} → Read the notice now. If your earlier stay has run out, you may have no status. The time to act is short, usually 30 days (33 if mailed) from the date on it. ${ASK_A_LAWYER.en}`,
        es: `${DENIED.es} → Lea el aviso ya. Si su estadía anterior venció, es posible que no tenga estatus. El plazo es corto, por lo general 30 días (33 si se envió por correo postal) desde su fecha. ${ASK_A_LAWYER.es}`,
        page: 'lawyer',
      },
      'I-589': {
        en: `${DENIED.en} → Read the notice now. It says if the case goes to an immigration court, where you can ask for asylum again. Get legal help now.`,
        es: `${DENIED.es} → Lea el aviso ya. Dice si el caso pasa a un tribunal (corte) de inmigración, donde puede pedir asilo otra vez. Busque ayuda legal ahora.`,
        page: 'lawyer',
      },
      'I-751': {
        en: `${DENIED.en} → Read the notice now. You may no longer be allowed to stay, and the case can go to an immigration court, where you can ask for a new review. ${ASK_A_LAWYER.en}`,
        es: `${DENIED.es} → Lea el aviso ya. Es posible que ya no tenga permiso para quedarse, y el caso puede pasar a un tribunal (corte) de inmigración, donde puede pedir otra revisión. ${ASK_A_LAWYER.es}`,
        page: 'lawyer',
      },
      'N-400': {
        en: `${DENIED.en} → Read the notice now. You can ask for a hearing with Form N-336, usually within 30 days (33 if the decision was mailed). You can also apply again later.`,
        es: `${DENIED.es} → Lea el aviso ya. Puede pedir una audiencia con el Formulario N-336, por lo general en 30 días (33 si la decisión se envió por correo postal). También puede presentar otra solicitud más adelante.`,
        page: 'n336',
        law: '8 CFR 336.2(a), 103.8(b)',
      },
    },
  },
  {
    titles: { 'Decision Notice Mailed': 'Se envió por correo postal la notificación de la decisión' },
    phase: 'decision',
    action: 'appeal by',
    en: 'USCIS made a decision, yes or no. This status does not say which. → Get the decision now and read it. If the answer is no, the time to appeal is usually 30 days (33 if it was mailed), counted from the date on it.',
    es: 'USCIS tomó una decisión, a favor o en contra. Este estatus no dice cuál. → Consiga la decisión ya y léala. Si la respuesta es no, el plazo para apelar suele ser de 30 días (33 si se envió por correo postal), contado desde su fecha.',
    notice: 'decision',
    page: 'appeals',
    law: APPEAL_LAW,
  },
];
