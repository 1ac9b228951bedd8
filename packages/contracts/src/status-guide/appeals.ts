import { ASK_A_LAWYER, NEW_ADDRESS, type Row } from './row.ts';

const REVOKED = {
  en: 'USCIS took an approval back. The notice says why and from when.',
  es: 'USCIS retiró una aprobación. El aviso dice por qué y desde cuándo.',
};

/** What may change a decision or has changed it: requests and intents before it, appeals, revocations and endings after it. */
export const APPEALS: readonly Row[] = [
  {
    titles: {
      'Request for Additional Evidence Was Sent': 'Se envió una solicitud de evidencia adicional',
      'Request for Additional Evidence Was Mailed':
        'Se envió por correo postal una solicitud de evidencia adicional',
      'Request for Initial Evidence Was Sent': 'Se envió una solicitud de evidencia inicial',
      'Request for Initial Evidence Was Mailed':
        'Se envió por correo postal una solicitud de evidencia inicial',
      'Request for Initial and Additional Evidence Was Sent':
        'Se envió una solicitud de evidencia inicial y adicional',
      'Request for Initial and Additional Evidence Was Mailed':
        'Se envió por correo postal una solicitud de evidencia inicial y adicional',
      'Request for Evidence Was Sent': 'Se envió una solicitud de evidencia',
      'Request for Evidence Was Mailed': 'Se envió por correo postal una solicitud de evidencia',
      'Request for Evidence Was Emailed': 'Se envió por correo electrónico una solicitud de evidencia',
    },
    phase: 'evidence',
    action: 'respond by',
    en: 'USCIS needs more papers before it can decide. The letter lists them, and the date by which your answer must arrive. It is not a denial. → Read it now. Send everything together, once, the way the letter says, so that it arrives by the date. USCIS cannot extend it, and can deny the case if you do not answer.',
    es: 'USCIS necesita más documentos antes de decidir. La carta dice cuáles, y en qué fecha debe haber llegado su respuesta. No es una denegación. → Léala ya. Envíe todo junto, una sola vez, como indica la carta, para que llegue antes de la fecha. USCIS no puede prorrogarla y puede denegar el caso si no responde.',
    notice: 'request',
    page: 'evidence',
    law: '8 CFR 103.2(b)(8)(iv), (11), (13)',
  },
  {
    titles: {
      'Notice of Intent to Deny Was Sent': 'Se envió el aviso de intención de denegar',
      'Notice of Intent to Deny Was Mailed': 'Se envió por correo postal el aviso de intención de denegar',
    },
    phase: 'evidence',
    action: 'respond by',
    en: `USCIS plans to deny the case and says why. It has not done so yet: you can answer first. → Answer by the date printed in the notice, usually 30 days or less from its date. Answer each reason, with proof. ${ASK_A_LAWYER.en}`,
    es: `USCIS piensa denegar el caso y dice por qué. Todavía no lo ha hecho: usted puede responder antes. → Responda antes de la fecha que indica el aviso, por lo general 30 días o menos desde su fecha. Responda a cada razón, con pruebas. ${ASK_A_LAWYER.es}`,
    notice: 'intent',
    page: 'evidence',
    law: '8 CFR 103.2(b)(8)(iv)',
  },
  {
    titles: {
      'CWR Notice of Intent to Revoke Sent': 'Se envió la notificación de intención de revocar (CWR)',
      'Intent To Rescind Notice Was Mailed':
        'Se envió por correo postal la notificación de intención de rescindir',
      'Intent to Revoke Notice Was Sent': 'Se envió la notificación de intención de revocar',
    },
    phase: 'evidence',
    action: 'respond by',
    en: `USCIS plans to take back something it granted and says why. It has not done so yet: you can answer first. → Answer by the date printed in the notice, usually 30 days or less from its date. Answer each reason, with proof. ${ASK_A_LAWYER.en}`,
    es: `USCIS piensa retirar algo que había concedido y dice por qué. Todavía no lo ha hecho: usted puede responder antes. → Responda antes de la fecha que indica el aviso, por lo general 30 días o menos desde su fecha. Responda a cada razón, con pruebas. ${ASK_A_LAWYER.es}`,
    notice: 'intent',
    page: 'evidence',
    law: 'USCIS Policy Manual, Volume 1, Part E, Chapter 10, Section D',
  },
  {
    titles: {
      'Notice Explaining USCIS Actions Was Mailed':
        'Se envió por correo postal una notificación que explica las acciones de USCIS',
    },
    phase: 'other',
    action: 'respond by',
    en: 'USCIS mailed you a notice about what it plans to do. It may be a notice of intent to deny, with about 30 days to answer from its date. → Look in your online account today. If it is not there or in your mail within a week, ask for a copy (uscis.gov/e-request). Answer by the printed date. Talk to a lawyer.',
    es: 'USCIS le envió una notificación sobre lo que piensa hacer. Puede ser un aviso de intención de denegar, con unos 30 días para responder desde su fecha. → Revise hoy su cuenta en línea. Si no está ahí ni le llega en una semana, pida una copia (uscis.gov/e-request). Responda antes de la fecha indicada. Consulte a un abogado.',
    page: 'copy',
    law: '8 CFR 103.2(b)(8)(iv)',
  },
  {
    titles: {
      'Continuation Notice Was Mailed': 'Se envió por correo postal una notificación de continuación',
    },
    phase: 'decision',
    action: 'respond by',
    en: 'A notice about what happens next is in the mail. → Follow it, and look for a date to answer by.',
    es: 'Va en camino una notificación sobre lo que sigue. → Siga sus instrucciones y busque si hay fecha límite.',
    notice: 'decision',
    page: 'copy',
  },
  {
    titles: { 'Case Approval Was Certified By USCIS': 'USCIS certificó la aprobación del caso' },
    phase: 'decision',
    action: 'respond by',
    en: 'USCIS sent its approval to an appeals office, which will make the final decision. It is not final. → Read the notice: you may have 30 days to send a statement. Talk to a lawyer.',
    es: 'USCIS envió su aprobación a una oficina de apelaciones, que tomará la decisión final. Todavía no es definitiva. → Lea la notificación: puede tener 30 días para presentar un escrito. Consulte a un abogado.',
    notice: 'decision',
    page: 'appeals',
    law: '8 CFR 103.4(a)(2)',
  },
  {
    titles: {
      'Certified Approval Of My Case Was Reversed by The Appellate Authority':
        'La autoridad de apelaciones revocó la aprobación certificada de mi caso',
      'Certified Denial Of My Case Was Affirmed By The Appellate Authority':
        'La autoridad de apelaciones confirmó la denegación certificada de mi caso',
    },
    phase: 'decision',
    action: 'appeal by',
    en: `The appeals office decided: the answer is no. The decision has the reasons. → Read the decision now. The time for a motion or a court is short. ${ASK_A_LAWYER.en}`,
    es: `La oficina de apelaciones decidió: la respuesta es no. La decisión contiene las razones. → Lea la decisión ya. El plazo para una moción o para ir a un tribunal es corto. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'lawyer',
  },
  {
    titles: {
      'Appeal Was Dismissed': 'La apelación fue desestimada',
      'Denial Was Upheld by Court': 'Un tribunal confirmó la denegación',
    },
    phase: 'decision',
    action: 'appeal by',
    en: `The appeal or the court case did not succeed. The earlier decision stands. → Read the decision now. The time for a motion or a further appeal is short, often 30 days from its date. ${ASK_A_LAWYER.en}`,
    es: `La apelación o la demanda no tuvo éxito. La decisión anterior se mantiene. → Lea la decisión ya. El plazo para una moción u otra apelación es corto, a menudo 30 días desde su fecha. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'appeals',
    law: '8 CFR 103.5(a)(1)(i)',
  },
  {
    titles: {
      'Appeal Was Terminated and A Notice Was Mailed To Me':
        'La apelación terminó y se me envió una notificación por correo postal',
    },
    phase: 'closed',
    action: 'appeal by',
    en: 'The appeal ended without a decision on it. The notice says why. → Read the notice now. It says if you can still do something, and the time for that may be short.',
    es: 'La apelación terminó sin una decisión sobre ella. El aviso dice por qué. → Lea el aviso ya. Dice si todavía puede hacer algo, y el plazo puede ser corto.',
    notice: 'decision',
    page: 'appeals',
  },
  {
    titles: { 'Appeal Was Approved': 'La apelación fue aprobada' },
    phase: 'decision',
    en: 'The appeal succeeded. The case goes back so that the new decision takes effect. → Read the decision and watch for the next notice.',
    es: 'La apelación tuvo éxito. El caso vuelve para que se cumpla la nueva decisión. → Lea la decisión y espere el próximo aviso.',
    notice: 'information',
    page: 'appeals',
  },
  {
    titles: {
      'Revocation Notice Was Sent': 'Se envió la notificación de revocación',
      'Case Approval Was Revoked': 'La aprobación del caso fue revocada',
    },
    phase: 'decision',
    action: 'appeal by',
    en: `${REVOKED.en} → Read the notice now. You may have only 15 days (18 if mailed) to appeal. ${ASK_A_LAWYER.en}`,
    es: `${REVOKED.es} → Lea el aviso ya. Puede tener solo 15 días (18 si se envió por correo postal) para apelar. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'appeals',
    law: '8 CFR 205.2(d), 103.8(b)',
  },
  {
    titles: { 'Case Was Automatically Revoked': 'El caso fue revocado automáticamente' },
    phase: 'decision',
    action: 'none',
    en: 'The approval ended automatically, because of something that happened. The notice says what and from when. → Read the notice now. Most of the time there is no appeal, but other steps may be open. Talk to an immigration lawyer soon.',
    es: 'La aprobación terminó de manera automática, por algo que ocurrió. El aviso dice qué y desde cuándo. → Lea el aviso ya. Por lo general no hay apelación, pero puede haber otros pasos. Consulte pronto a un abogado de inmigración.',
    notice: 'decision',
    page: 'lawyer',
  },
  {
    titles: {
      'Status Termination Notice Was Mailed':
        'Se envió por correo postal la notificación de terminación de estatus',
      'Termination Notice Sent': 'Se envió la notificación de terminación',
    },
    phase: 'closed',
    action: 'respond by',
    en: `USCIS ended a status or a case. The notice says which, why and from when. → Read the notice now. The time to answer is short, often 30 days. ${ASK_A_LAWYER.en}`,
    es: `USCIS puso fin a un estatus o a un caso. El aviso dice a cuál, por qué y desde cuándo. → Lea el aviso ya. El plazo para responder es corto, a menudo 30 días. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'lawyer',
    law: '8 CFR 103.5(a)(1)(i)',
  },
  {
    titles: {
      'Special Immigrant Juvenile Deferred Action Terminated':
        'Se puso fin a la acción diferida para joven inmigrante especial',
      'SIJ Deferred Action Terminated': 'Se puso fin a la acción diferida (SIJ)',
      'Special Immigrant Juvenile Deferred Action Not Granted':
        'No se concedió la acción diferida para joven inmigrante especial',
      'SIJ Deferred Action Not Granted': 'No se concedió la acción diferida (SIJ)',
    },
    phase: 'decision',
    action: 'none',
    en: `USCIS did not grant deferred action, or ended it. This is separate from the decision on Form I-360. → Read the notice now. It can change whether you may stay and work. ${ASK_A_LAWYER.en}`,
    es: `USCIS no concedió la acción diferida, o le puso fin. Esto es aparte de la decisión sobre el Formulario I-360. → Lea el aviso ya. Puede cambiar si usted puede quedarse y trabajar. ${ASK_A_LAWYER.es}`,
    notice: 'decision',
    page: 'juveniles',
  },
  {
    titles: {
      'Special Immigrant Juvenile Deferred Action Granted':
        'Se concedió la acción diferida para joven inmigrante especial',
      'SIJ Deferred Action Granted': 'Se concedió la acción diferida (SIJ)',
      'Special Immigrant Juvenile Form I-360 Approved With Deferred Action':
        'Se aprobó el Formulario I-360 para joven inmigrante especial con acción diferida',
    },
    phase: 'decision',
    en: 'USCIS granted deferred action until the date on the notice. You can ask for a work permit. This is not a lawful status. → Read the notice and note its end date. It says how to ask for a work permit (Form I-765).',
    es: 'USCIS concedió la acción diferida hasta la fecha que indica el aviso. Puede pedir un permiso de trabajo. Esto no es un estatus legal. → Lea el aviso y anote la fecha en que termina. Dice cómo pedir un permiso de trabajo (Formulario I-765).',
    notice: 'information',
    page: 'juveniles',
  },
  {
    titles: {
      'Student Employment Authorization Document Automatically Terminated':
        'El documento de autorización de empleo de estudiante terminó automáticamente',
      'Student EAD Automatically Terminated': 'El permiso de trabajo de estudiante terminó automáticamente',
    },
    phase: 'closed',
    action: 'none',
    en: 'Your work permit as a student has ended. You may no longer be allowed to work. → Ask the international student office of your school today, and before you work again. If that does not help, ask a lawyer.',
    es: 'Su permiso de trabajo como estudiante terminó. Es posible que ya no pueda trabajar. → Pregunte hoy a la oficina de estudiantes internacionales de su escuela, y antes de volver a trabajar. Si eso no ayuda, consulte a un abogado.',
    page: 'workPermit',
  },
  {
    titles: {
      'Case Approval Was Affirmed': 'Se confirmó la aprobación del caso',
      'Case Was Not Revoked or Cancelled By USCIS': 'USCIS no revocó ni canceló el caso',
      'Petition Business Terminated/Over 180 Days/Not Automatically Revoked':
        'El negocio terminó después de 180 días; la petición no se revocó automáticamente',
      'Petition Withdrawn/Over 180 Days/Not Automatically Revoked':
        'La petición se retiró después de 180 días y no se revocó automáticamente',
    },
    phase: 'decision',
    en: 'The approval stays as it was. → Read the notice and keep it with your papers.',
    es: 'La aprobación sigue como estaba. → Lea el aviso y guárdelo con sus documentos.',
    notice: 'information',
    page: 'contact',
  },
  {
    titles: {
      'Case Approval Was Reaffirmed And Mailed Back To Department Of State':
        'Se reafirmó la aprobación del caso y se devolvió por correo al Departamento de Estado',
    },
    phase: 'decision',
    en: 'USCIS looked again and stands by its approval. It sent the case back for the visa. → Watch for mail or email from the consulate or the National Visa Center.',
    es: 'USCIS revisó el caso otra vez y mantiene su aprobación. Lo devolvió para la visa. → Espere una carta o un correo electrónico del consulado o del Centro Nacional de Visas.',
    page: 'consular',
  },
  {
    titles: {
      'Eligibility Notice Was Mailed': 'Se envió por correo postal una notificación de elegibilidad',
    },
    phase: 'decision',
    en: 'A notice says what USCIS found when it checked if the case qualifies. → Read the notice: it says what comes next.',
    es: 'Una notificación dice qué encontró USCIS al revisar si el caso cumple los requisitos. → Lea la notificación: dice qué sigue.',
    notice: 'information',
    page: 'forms',
  },
  {
    titles: {
      'Withdrawal Acknowledgement Notice Was Sent': 'Se envió la notificación de acuse de recibo del retiro',
      'Withdrawal Of My Appeal Was Acknowledged': 'Se reconoció el retiro de mi apelación',
    },
    phase: 'closed',
    en: 'USCIS confirms that the case or appeal was withdrawn on request. It will not decide it. → Keep the notice. If you did not ask for this, find out whether the petitioner did, and contact USCIS at once.',
    es: 'USCIS confirma que el caso o la apelación se retiró a solicitud de alguien. No decidirá sobre él. → Guarde el aviso. Si usted no lo pidió, averigüe si lo hizo el peticionario, y comuníquese con USCIS de inmediato.',
    page: 'contact',
  },
  {
    titles: {
      'Case Closed Benefit Received By Other Means':
        'Caso cerrado porque el beneficio se recibió por otros medios',
    },
    phase: 'closed',
    en: `USCIS closed the case because you already have what it asked for. → If that is wrong, contact USCIS soon. If it is right, keep the notice. ${NEW_ADDRESS.en}`,
    es: `USCIS cerró el caso porque usted ya tiene lo que se pedía. → Si es un error, comuníquese pronto con USCIS. Si es correcto, guarde el aviso. ${NEW_ADDRESS.es}`,
    page: 'contact',
    law: NEW_ADDRESS.law,
  },
];
