import { NEW_ADDRESS, NOT_DECIDED, type Row } from './row.ts';

const INTERVIEW_SET = {
  en: 'There is a date for your interview. The notice has the date, time and place, and what to bring.',
  es: 'Su entrevista ya tiene fecha. El aviso indica el día, la hora, el lugar y qué debe llevar.',
};

/** Interviews, and cases that move to another office, to a court, or stand still. */
export const MOVES: readonly Row[] = [
  {
    titles: {
      'Case Was Transferred To Schedule An Interview':
        'El caso fue transferido para programar una entrevista',
      'Case is Ready to Be Scheduled for An Interview':
        'El caso está listo para que se programe una entrevista',
    },
    phase: 'interview',
    en: `An interview comes next. The local office has to find a free date, which can take months. → ${NEW_ADDRESS.en} Keep your original documents at hand. The notice with the date comes by mail.`,
    es: `Lo que sigue es una entrevista. La oficina local debe encontrar una fecha libre; eso puede tardar meses. → ${NEW_ADDRESS.es} Tenga a mano sus documentos originales. El aviso con la fecha llega por correo postal.`,
    page: 'address',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Interview Was Scheduled': 'Se programó la entrevista',
      'Interview Was Rescheduled': 'La entrevista fue reprogramada',
    },
    phase: 'interview',
    action: 'appear on',
    en: `${INTERVIEW_SET.en} → Go at the printed time with the notice, a photo ID and the papers it lists. If you cannot go, ask for a new date before that day: missing it can end the case.`,
    es: `${INTERVIEW_SET.es} → Vaya a la hora indicada con el aviso, una identificación con foto y los documentos que menciona. Si no puede ir, pida otra fecha antes de ese día: faltar puede poner fin al caso.`,
    notice: 'appointment',
    page: 'contact',
    forms: {
      'I-485': { page: 'i485' },
      'I-589': {
        en: `${INTERVIEW_SET.en} → Go at the printed time with the notice, your ID and, if you need one, your own interpreter. If you cannot go, ask for a new date before that day: missing it can end the case or send it to immigration court.`,
        es: `${INTERVIEW_SET.es} → Vaya a la hora indicada con el aviso, su identificación y, si lo necesita, su propio intérprete. Si no puede ir, pida otra fecha antes de ese día: faltar puede poner fin al caso o enviarlo a un tribunal (corte) de inmigración.`,
        page: 'asylum',
      },
      'N-400': {
        en: `${INTERVIEW_SET.en} → Go at the printed time with the notice, your green card and your passports. Prepare for the English and civics tests. If you cannot go, ask for a new date before that day: missing it can end the case.`,
        es: `${INTERVIEW_SET.es} → Vaya a la hora indicada con el aviso, su tarjeta verde y sus pasaportes. Prepárese para los exámenes de inglés y de educación cívica. Si no puede ir, pida otra fecha antes de ese día: faltar puede poner fin al caso.`,
        page: 'naturalizationTest',
      },
    },
  },
  {
    titles: {
      'Interview Cancelled': 'Entrevista cancelada',
      'Interview Cancelled And Notice Ordered': 'Entrevista cancelada; se enviará una notificación',
    },
    phase: 'interview',
    action: 'appear on',
    en: 'The interview was called off or taken off its date. A notice says what comes next. This is not a denial. → Wait for the cancellation notice. If the date is near and you have no notice, check with USCIS first; if you cannot, go.',
    es: 'La entrevista se canceló o ya no tiene fecha. Un aviso dice qué sigue. Esto no es una denegación. → Espere el aviso de cancelación. Si la fecha está cerca y no lo tiene, confirme primero con USCIS; si no lo logra, vaya.',
    page: 'contact',
  },
  {
    titles: {
      'Interview Was Completed And My Case Must Be Reviewed':
        'La entrevista fue completada y mi caso debe ser revisado',
    },
    phase: 'interview',
    en: 'The interview is over. An officer will look at the case again before deciding. → If the officer asked you for papers, send them in the time you were given. If not, you can wait.',
    es: 'La entrevista terminó. Un oficial revisará el caso otra vez antes de decidir. → Si el oficial le pidió documentos, envíelos en el tiempo que le dieron. Si no, puede esperar.',
    page: 'contact',
    forms: { 'N-400': { page: 'naturalization' } },
  },
  {
    titles: { 'Case Is Pending at a Local Office': 'El caso está pendiente en una oficina local' },
    phase: 'transferred',
    en: `A local office is working on the case. ${NOT_DECIDED.en} → Watch for mail from that office, such as an interview notice.`,
    es: `Una oficina local está trabajando en el caso. ${NOT_DECIDED.es} → Esté pendiente del correo postal de esa oficina, por ejemplo de un aviso de entrevista.`,
    page: 'contact',
  },
  {
    titles: {
      'Case Transferred To Another Office': 'Caso transferido a otra oficina',
      'Case Was Received At Another USCIS Office': 'El caso fue recibido en otra oficina de USCIS',
      'Case Was Transferred And A New Office Has Jurisdiction':
        'El caso fue transferido y una nueva oficina tiene jurisdicción',
    },
    phase: 'transferred',
    en: `The case moved to another USCIS office. Your receipt number and filing date stay the same. → Read the transfer notice. Send anything new to the new office. Keep your address current. ${NEW_ADDRESS.en}`,
    es: `El caso pasó a otra oficina de USCIS. Su número de recibo y su fecha de presentación no cambian. → Lea el aviso de traslado. Envíe todo lo nuevo a la nueva oficina. Mantenga su dirección al día. ${NEW_ADDRESS.es}`,
    notice: 'information',
    page: 'address',
    law: NEW_ADDRESS.law,
  },
  {
    titles: { 'Case Was Transferred To An Asylum Office': 'El caso fue transferido a una oficina de asilo' },
    phase: 'transferred',
    en: `An asylum office now has the case. ${NOT_DECIDED.en} → Watch for mail from that office. ${NEW_ADDRESS.en} Tell the asylum office too.`,
    es: `Una oficina de asilo tiene ahora el caso. ${NOT_DECIDED.es} → Esté pendiente del correo postal de esa oficina. ${NEW_ADDRESS.es} Avise también a la oficina de asilo.`,
    page: 'asylum',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Case Was Transferred To International Office/Consulate':
        'El caso fue transferido a una oficina internacional o consulado',
    },
    phase: 'transferred',
    en: 'An office abroad, or a consulate, now works on the case. → Watch for its letter or email. It tells you what to send and when to come.',
    es: 'Una oficina en el extranjero, o un consulado, trabaja ahora en el caso. → Espere su carta o correo electrónico. Le dirá qué enviar y cuándo ir.',
    page: 'consular',
  },
  {
    titles: { 'Case Was Sent To The Department of State': 'El caso fue enviado al Departamento de Estado' },
    phase: 'transferred',
    en: 'USCIS sent the approved case to the Department of State, which handles visas. Its National Visa Center is usually the next to write. → Watch for a letter or email from the National Visa Center and follow its steps.',
    es: 'USCIS envió el caso aprobado al Departamento de Estado, que se ocupa de las visas. El siguiente en escribirle suele ser su Centro Nacional de Visas. → Espere una carta o un correo electrónico del Centro Nacional de Visas y siga sus pasos.',
    page: 'consular',
  },
  {
    titles: {
      'Department of State Sent Case to USCIS For Review':
        'El Departamento de Estado envió el caso a USCIS para su revisión',
    },
    phase: 'transferred',
    en: 'A consulate sent the case back with questions. USCIS looks at it again. It can keep the approval or take it back. → Watch your mail and your online account. If a notice of intent to revoke comes, read it that day and talk to a lawyer.',
    es: 'Un consulado devolvió el caso con preguntas. USCIS lo revisa otra vez. Puede mantener la aprobación o revocarla. → Esté pendiente de su correo postal y de su cuenta en línea. Si llega un aviso de intención de revocar, léalo ese mismo día y consulte a un abogado.',
    page: 'evidence',
  },
  {
    titles: {
      'Case Was Sent To The Executive Office for Immigration Review':
        'El caso fue enviado a la Oficina Ejecutiva de Revisión de Casos de Inmigración',
    },
    phase: 'transferred',
    action: 'appear on',
    en: 'The case is now with the immigration court or its appeals board. They are not part of USCIS. Missing a hearing can lead to an order of removal. → Check your hearing date yourself every week with your A-Number (acis.eoir.justice.gov, 1-800-898-7180). If you move, give the court your address on Form EOIR-33 within 5 working days; telling USCIS is not enough. Get a lawyer.',
    es: 'El caso está ahora en el tribunal (corte) de inmigración o en su junta de apelaciones. No son parte de USCIS. Faltar a una audiencia puede llevar a una orden de expulsión. → Verifique cada semana su fecha de audiencia con su Número A (acis.eoir.justice.gov, 1-800-898-7180). Si se muda, avise al tribunal con el Formulario EOIR-33 en 5 días hábiles; avisar a USCIS no basta. Busque un abogado.',
    page: 'lawyer',
    law: '8 CFR 1003.15(d)(2); Form EOIR-33/IC',
  },
  {
    titles: {
      'Case Was Returned To USCIS By The Executive Office of Immigration Review':
        'La Oficina Ejecutiva de Revisión de Casos de Inmigración devolvió el caso a USCIS',
      'Case Was Returned To USCIS By The EOIR': 'EOIR devolvió el caso a USCIS',
    },
    phase: 'transferred',
    en: `The immigration court sent the case back to USCIS. → Watch for a notice from USCIS that says what comes next. ${NEW_ADDRESS.en}`,
    es: `El tribunal (corte) de inmigración devolvió el caso a USCIS. → Espere un aviso de USCIS que diga qué sigue. ${NEW_ADDRESS.es}`,
    page: 'contact',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Case Was Sent To The Administrative Appeals Office for Review':
        'El caso fue enviado a la Oficina de Apelaciones Administrativas para su revisión',
    },
    phase: 'transferred',
    en: `The appeals office of USCIS reviews the decision. That usually takes months. → You can wait, unless that office writes to you. ${NEW_ADDRESS.en}`,
    es: `La oficina de apelaciones de USCIS revisa la decisión. Eso suele tardar meses. → Puede esperar, salvo que esa oficina le escriba. ${NEW_ADDRESS.es}`,
    page: 'appeals',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Appeal Was Remanded To The Originating Office For Consideration':
        'La apelación fue devuelta a la oficina de origen para su consideración',
      'Case Was Relocated From Administrative Appeals Office To USCIS Originating Office':
        'El caso fue trasladado de la Oficina de Apelaciones Administrativas a la oficina de origen de USCIS',
    },
    phase: 'transferred',
    en: 'The case went back from the appeals office to the office that decided it. That office looks at it again. → Watch your mail and your online account. That office may ask you for more evidence.',
    es: 'El caso volvió de la oficina de apelaciones a la oficina que lo decidió. Esa oficina lo revisa otra vez. → Esté pendiente de su correo postal y de su cuenta en línea. Esa oficina puede pedirle más evidencia.',
    page: 'appeals',
  },
  {
    titles: {
      'Case Was Reopened': 'El caso fue reabierto',
      'Case Was Reopened For Reconsideration': 'El caso fue reabierto para reconsideración',
    },
    phase: 'other',
    en: 'USCIS works on the case again. An earlier decision may change, or stay as it was. → Read the notice. If it asks you for something, answer right away.',
    es: 'USCIS vuelve a trabajar en el caso. La decisión anterior puede cambiar, o quedar como estaba. → Lea el aviso. Si le pide algo, responda de inmediato.',
    notice: 'information',
    page: 'appeals',
  },
  {
    titles: {
      'Case Is On Hold': 'El caso está en espera',
      'Case Is On Hold Because Of Pending Litigation': 'El caso está en espera debido a un litigio pendiente',
      'Litigation Notice Was Mailed': 'Se envió por correo postal una notificación de litigio',
    },
    phase: 'other',
    en: `Work on the case is paused, or a lawsuit affects it. This is not a decision. → If a notice comes, read it. If you do not know why the case is on hold, ask USCIS or a lawyer. ${NEW_ADDRESS.en}`,
    es: `El trabajo en el caso está en pausa, o una demanda lo afecta. Esto no es una decisión. → Si llega un aviso, léalo. Si no sabe por qué el caso está en espera, pregunte a USCIS o a un abogado. ${NEW_ADDRESS.es}`,
    page: 'lawyer',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Case Is No Longer On Hold': 'El caso ya no está en espera',
      'Case Is No Longer On Hold Because Of Pending Litigation':
        'El caso ya no está en espera debido a un litigio pendiente',
      'Termination Of Litigation Notice Was Mailed':
        'Se envió por correo postal una notificación del fin del litigio',
    },
    phase: 'other',
    en: `The hold or the lawsuit is over, and the case continues. → If a notice comes, read it. ${NEW_ADDRESS.en}`,
    es: `La pausa o la demanda terminó, y el caso continúa. → Si llega un aviso, léalo. ${NEW_ADDRESS.es}`,
    page: 'contact',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Oath Ceremony Notice Was Mailed': 'Se envió por correo postal el aviso de la ceremonia de juramento',
    },
    phase: 'decision',
    action: 'appear on',
    en: 'There is a date for your oath ceremony. You become a citizen only when you take the oath. → Go at the printed time with the notice, your green card and Form N-445. If you cannot go, follow the notice to ask for another date.',
    es: 'Hay una fecha para su ceremonia de juramento. Usted obtiene la ciudadanía solo al prestar el juramento. → Vaya a la hora indicada con el aviso, su tarjeta verde y el Formulario N-445. Si no puede ir, siga el aviso para pedir otra fecha.',
    notice: 'appointment',
    page: 'naturalization',
  },
  {
    titles: { 'Oath Ceremony Will Be Scheduled': 'Se programará la ceremonia de juramento' },
    phase: 'decision',
    en: `The oath ceremony comes next. It has no date yet. You become a citizen only when you take the oath. → Watch for the notice with the date. ${NEW_ADDRESS.en}`,
    es: `Lo que sigue es la ceremonia de juramento. Todavía no tiene fecha. Usted obtiene la ciudadanía solo al prestar el juramento. → Espere el aviso con la fecha. ${NEW_ADDRESS.es}`,
    page: 'naturalization',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Oath Ceremony Was Canceled': 'La ceremonia de juramento fue cancelada',
    },
    phase: 'decision',
    action: 'appear on',
    en: 'The oath ceremony was called off. You are not a citizen until you take the oath. → Wait for the notice. If the date is near and you have no notice, check with USCIS first; if you cannot, go.',
    es: 'La ceremonia de juramento se canceló. Usted no obtiene la ciudadanía hasta prestar el juramento. → Espere el aviso. Si la fecha está cerca y no lo tiene, confirme primero con USCIS; si no lo logra, vaya.',
    page: 'naturalization',
  },
];
