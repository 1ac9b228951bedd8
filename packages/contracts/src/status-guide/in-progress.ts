import { NEW_ADDRESS, NOT_DECIDED, type Row } from './row.ts';

const RECEIVED = {
  en: `USCIS has your form and has given it a receipt number. ${NOT_DECIDED.en}`,
  es: `USCIS tiene su formulario y le dio un número de recibo. ${NOT_DECIDED.es}`,
};
const BIOMETRICS_NEXT = {
  en: `${RECEIVED.en} → Keep your receipt notice. The next letter is often an appointment for fingerprints and a photo. ${NEW_ADDRESS.en}`,
  es: `${RECEIVED.es} → Guarde su aviso de recibo. La próxima carta suele ser una cita para tomarle las huellas y una foto. ${NEW_ADDRESS.es}`,
} as const;

/** Receipt, waiting, fingerprints, evidence, and requests for speed. */
export const IN_PROGRESS: readonly Row[] = [
  {
    titles: {
      'Case Was Received': 'El caso fue recibido',
      'Case Was Received and A Receipt Notice Was Emailed':
        'El caso fue recibido y se envió un aviso de recibo por correo electrónico',
      'Case Was Received and A Receipt Notice Was Sent': 'El caso fue recibido y se envió un aviso de recibo',
      'Case Accepted By The USCIS Lockbox': 'El caso fue aceptado por la Localidad Segura (Lockbox) de USCIS',
      'CNMI Semiannual Report Received':
        'Se recibió el informe semestral de las Islas Marianas del Norte (CNMI)',
      'Fees Were Waived': 'Se eximió el pago de las tarifas',
      'Filed Under Known Employer Pilot': 'Presentado bajo el programa piloto de empleador conocido',
      'Fingerprint Fee Was Received': 'Se recibió la tarifa de huellas dactilares',
    },
    phase: 'received',
    en: `${RECEIVED.en} → Keep the receipt notice and check the names and dates on it. If it does not come within a month, ask for a copy (uscis.gov/e-request). ${NEW_ADDRESS.en} How long it takes depends on the form and the office.`,
    es: `${RECEIVED.es} → Guarde el aviso de recibo y revise los nombres y las fechas. Si no llega en un mes, pida una copia (uscis.gov/e-request). ${NEW_ADDRESS.es} El tiempo de espera depende del formulario y de la oficina.`,
    page: 'address',
    law: NEW_ADDRESS.law,
    forms: {
      'I-485': BIOMETRICS_NEXT,
      'I-765': BIOMETRICS_NEXT,
      'I-90': BIOMETRICS_NEXT,
      'I-751': BIOMETRICS_NEXT,
      'I-589': BIOMETRICS_NEXT,
      'I-821': BIOMETRICS_NEXT,
      'I-821D': BIOMETRICS_NEXT,
      'N-400': {
        en: `${RECEIVED.en} → Keep your receipt notice. Fingerprints come next, then an interview with the English and civics tests. ${NEW_ADDRESS.en}`,
        es: `${RECEIVED.es} → Guarde su aviso de recibo. Después vienen las huellas y una entrevista con los exámenes de inglés y de educación cívica. ${NEW_ADDRESS.es}`,
        page: 'naturalizationTest',
      },
    },
  },
  {
    titles: {
      'Case Is Being Actively Reviewed By USCIS': 'USCIS está revisando activamente el caso',
      'Case Remains Pending': 'El caso sigue pendiente',
    },
    phase: 'other',
    en: `USCIS is working on the case. ${NOT_DECIDED.en} → You can wait. Watch your mail and your online account. ${NEW_ADDRESS.en}`,
    es: `USCIS está trabajando en el caso. ${NOT_DECIDED.es} → Puede esperar. Esté pendiente de su correo postal y de su cuenta en línea. ${NEW_ADDRESS.es}`,
    page: 'contact',
    law: NEW_ADDRESS.law,
  },
  {
    titles: { 'Request Was Processed': 'La solicitud fue procesada' },
    phase: 'other',
    en: 'USCIS has dealt with a request about this case. The status does not say which one, or how. → Look in your mail and your online account for an answer.',
    es: 'USCIS atendió una solicitud sobre este caso. El estatus no dice cuál ni con qué resultado. → Busque una respuesta en su correo postal y en su cuenta en línea.',
    notice: 'information',
    page: 'contact',
  },
  {
    titles: { 'CASE STATUS': 'ESTATUS DEL CASO' },
    phase: 'other',
    en: 'USCIS gives no information about this case right now. → Check that the receipt number is right. Look in your mail and your online account. If that does not help, ask USCIS.',
    es: 'USCIS no da información sobre este caso por ahora. → Verifique que el número de recibo sea correcto. Revise su correo postal y su cuenta en línea. Si eso no ayuda, pregunte a USCIS.',
    page: 'contact',
  },
  {
    titles: {
      'Request For Premium Processing Services Was Received':
        'Se recibió la solicitud de servicios de procesamiento prioritario',
    },
    phase: 'received',
    en: 'USCIS has a request for premium processing. It will act within a set time: it can decide, ask for evidence, or send a notice of intent. It does not promise to approve. → Watch your mail and your online account. If USCIS asks for more evidence, the set time starts again when your answer arrives.',
    es: 'USCIS tiene una solicitud de procesamiento prioritario. Actuará dentro de un plazo fijo: puede decidir, pedir evidencia o enviar un aviso de intención. No promete aprobar. → Esté pendiente de su correo postal y de su cuenta en línea. Si USCIS pide más evidencia, ese plazo empieza de nuevo cuando llega su respuesta.',
    page: 'premium',
  },
  {
    titles: {
      'Premium Processing Case is Eligible for Pre-Certification':
        'El caso con procesamiento prioritario es elegible para precertificación',
    },
    phase: 'other',
    en: 'USCIS checked the case for a step of premium processing. This is not a decision. → Watch your mail. The petitioner can ask USCIS what it means for the case.',
    es: 'USCIS revisó el caso para un paso del procesamiento prioritario. Esto no es una decisión. → Esté pendiente del correo postal. El peticionario puede preguntar a USCIS qué significa para el caso.',
    page: 'premium',
  },
  {
    titles: {
      'Premium Processing Case is Not Eligible for Pre-Certification':
        'El caso con procesamiento prioritario no es elegible para precertificación',
    },
    phase: 'other',
    en: 'The case did not pass a check of premium processing. This is not a decision. → USCIS may ask for more documents. Watch for a request in the mail and in your online account.',
    es: 'El caso no pasó una revisión del procesamiento prioritario. Esto no es una decisión. → USCIS puede pedir más documentos. Esté pendiente de su correo postal y de su cuenta en línea.',
    page: 'premium',
  },
  {
    titles: {
      'Biometrics Appointment Was Scheduled': 'Se programó la cita para datos biométricos',
      'Fingerprint and Biometrics Appointment Was Scheduled':
        'Se programó la cita para huellas dactilares y datos biométricos',
    },
    phase: 'biometrics',
    action: 'appear on',
    en: 'USCIS wants to take your fingerprints, photo or signature. The appointment notice has the date, time and place, often an Application Support Center (ASC). → Go at the printed time with the notice and a valid photo ID. If you cannot go, ask for a new date before that day: missing it can end the case.',
    es: 'USCIS quiere tomarle las huellas, una foto o la firma. El aviso de la cita indica la fecha, la hora y el lugar, a menudo un Centro de Asistencia en Solicitudes (ASC). → Vaya a la hora indicada con el aviso y una identificación vigente con foto. Si no puede ir, pida otra fecha antes de ese día: faltar puede poner fin al caso.',
    notice: 'appointment',
    page: 'biometrics',
  },
  {
    titles: {
      'Biometrics Appointment Was Canceled': 'La cita para datos biométricos fue cancelada',
    },
    phase: 'biometrics',
    action: 'appear on',
    en: 'Your fingerprint appointment was called off. A notice says what comes next. → Wait for the cancellation notice. If the date is near and you have no notice, check with USCIS first; if you cannot, go.',
    es: 'Se canceló su cita para tomarle las huellas. Un aviso dice qué sigue. → Espere el aviso de cancelación. Si la fecha está cerca y no lo tiene, confirme primero con USCIS; si no lo logra, vaya.',
    page: 'biometrics',
  },
  {
    titles: {
      'Case Was Updated To Show Fingerprints Were Taken':
        'El caso fue actualizado para indicar que se tomaron las huellas dactilares',
    },
    phase: 'biometrics',
    en: `USCIS has your fingerprints, new or from before. ${NOT_DECIDED.en} → If you have an appointment notice for a later day, still go. Keep the stamped notice.`,
    es: `USCIS ya tiene sus huellas, nuevas o anteriores. ${NOT_DECIDED.es} → Si tiene una cita pendiente, vaya de todos modos. Guarde el aviso sellado.`,
    page: 'biometrics',
  },
  {
    titles: { 'Fingerprint Review Was Completed': 'Se completó la revisión de las huellas dactilares' },
    phase: 'biometrics',
    en: `A step of the background check is done. ${NOT_DECIDED.en} → You can wait. Watch your mail and your online account.`,
    es: `Se completó un paso de la verificación de antecedentes. ${NOT_DECIDED.es} → Puede esperar. Esté pendiente de su correo postal y de su cuenta en línea.`,
    page: 'biometrics',
  },
  {
    titles: {
      'Case Was Updated To Show That No One Appeared for In-Person Processing':
        'El caso fue actualizado para indicar que nadie se presentó al trámite en persona',
    },
    phase: 'biometrics',
    action: 'none',
    en: 'USCIS noted that no one came to an appointment. It can treat the case as abandoned. → Contact USCIS at once and ask for a new appointment. If you did go, have your stamped notice at hand. A lawyer can help.',
    es: 'USCIS anotó que nadie se presentó a una cita. Puede considerar que el caso fue abandonado. → Comuníquese con USCIS de inmediato y pida otra cita. Si usted sí fue, tenga a mano el aviso sellado. Un abogado puede ayudar.',
    page: 'contact',
  },
  {
    titles: {
      'Request To Reschedule My Appointment Was Received': 'Se recibió la solicitud de reprogramar mi cita',
    },
    phase: 'biometrics',
    en: 'USCIS has your request for another date. The old appointment counts until a new notice comes. → Wait for the new notice. If it does not come in time, go to the old appointment.',
    es: 'USCIS recibió su solicitud de otra fecha. La cita anterior sigue vigente hasta que llegue un nuevo aviso. → Espere el nuevo aviso. Si no llega a tiempo, vaya a la cita anterior.',
    page: 'biometrics',
  },
  {
    titles: {
      'Correspondence Was Received And USCIS Is Reviewing It':
        'Se recibió correspondencia y USCIS la está revisando',
      "Response To USCIS' Request For Evidence Was Received":
        'Se recibió la respuesta a la solicitud de evidencia de USCIS',
    },
    phase: 'evidence',
    en: `What was sent has arrived, and USCIS is reading it. ${NOT_DECIDED.en} → You can wait. Keep a copy of what you sent and the proof of delivery.`,
    es: `Lo que se envió llegó, y USCIS lo está leyendo. ${NOT_DECIDED.es} → Puede esperar. Guarde una copia de lo que envió y el comprobante de entrega.`,
    page: 'evidence',
  },
  {
    titles: {
      'Request for Additional Information Received': 'Se recibió la información adicional solicitada',
    },
    phase: 'other',
    en: `USCIS has your answer about faster processing. ${NOT_DECIDED.en} → Watch for its answer. Keep a copy of what you sent.`,
    es: `USCIS tiene su respuesta sobre el trámite más rápido. ${NOT_DECIDED.es} → Espere la respuesta de USCIS. Guarde una copia de lo que envió.`,
    page: 'expedite',
  },
  {
    titles: { 'Expedite Request Received': 'Solicitud de trámite expedito recibida' },
    phase: 'other',
    en: 'You asked USCIS to go faster, and it is looking at the request. → Answer quickly if it asks you to prove why it is urgent.',
    es: 'Usted pidió un trámite más rápido, y USCIS está revisando la solicitud. → Si le piden pruebas de la urgencia, responda rápido.',
    page: 'expedite',
  },
  {
    titles: { 'Expedite Request Approved': 'Solicitud de trámite expedito aprobada' },
    phase: 'other',
    en: 'USCIS will work on the case sooner. It has not decided the case. → Watch your mail. If USCIS asks for something, answer at once.',
    es: 'USCIS atenderá el caso antes. Todavía no lo ha decidido. → Esté pendiente de su correo postal. Si USCIS le pide algo, responda de inmediato.',
    page: 'expedite',
  },
  {
    titles: { 'Expedite Request Denied': 'Solicitud de trámite expedito denegada' },
    phase: 'other',
    en: 'The case continues at the usual speed. USCIS denied faster service, not the case. → You can wait. If things change, you can ask again and say why.',
    es: 'El caso sigue a la velocidad habitual. USCIS denegó la rapidez, no el caso. → Puede esperar. Si algo cambia, puede pedirlo otra vez y explicar por qué.',
    page: 'expedite',
  },
];
