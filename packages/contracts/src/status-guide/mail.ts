import { NEW_ADDRESS, type Row } from './row.ts';

const BEING_MADE = {
  en: 'Your card or document is being made. It will be mailed to you.',
  es: 'Su tarjeta o documento se está haciendo. Se le enviará por correo postal.',
};
const STAY = {
  en: 'Do not leave the country before you hold it.',
  es: 'No salga del país hasta tenerlo en sus manos.',
};
const NEW_COPY = {
  en: 'You need a new application with its fee to get another.',
  es: 'Para obtener otro, necesita una nueva solicitud con su tarifa.',
};

/** Cards, documents and other mail: made, sent, returned, destroyed; and changes of details and fees. */
export const MAIL: readonly Row[] = [
  {
    titles: {
      'New Card Is Being Produced': 'Se está produciendo una nueva tarjeta',
      'Permanent Resident Card Is Being Produced': 'Se está produciendo la tarjeta de residente permanente',
      'Request For A Duplicate Card Was Approved': 'Se aprobó la solicitud de una tarjeta duplicada',
    },
    phase: 'card',
    en: `${BEING_MADE.en} → Mailing usually follows in days or a few weeks. ${NEW_ADDRESS.en}`,
    es: `${BEING_MADE.es} → El envío suele salir en unos días o pocas semanas. ${NEW_ADDRESS.es}`,
    page: 'delivery',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Advance Parole Document Was Produced': 'Se produjo el documento de permiso adelantado de viaje',
      'Reentry Permit Was Produced': 'Se produjo el permiso de reingreso',
      'Refugee Travel Document Was Produced': 'Se produjo el documento de viaje para refugiado',
    },
    phase: 'card',
    en: `${BEING_MADE.en} → ${STAY.en} ${NEW_ADDRESS.en}`,
    es: `${BEING_MADE.es} → ${STAY.es} ${NEW_ADDRESS.es}`,
    page: 'delivery',
    law: NEW_ADDRESS.law,
  },
  {
    titles: {
      'Card Was Mailed To Me': 'Se me envió la tarjeta por correo postal',
      'Card Was Picked Up By The United States Postal Service':
        'El Servicio Postal de los Estados Unidos recogió la tarjeta',
      'Document Was Mailed': 'El documento fue enviado por correo postal',
      'Document Was Mailed But Not Returned To USCIS':
        'El documento fue enviado por correo postal y no fue devuelto a USCIS',
      'Document Was Mailed To Me': 'Se me envió el documento por correo postal',
    },
    phase: 'card',
    en: 'Your card or document is in the mail. → Watch your mailbox. Your online account may have a tracking number.',
    es: 'Su tarjeta o documento está en camino por correo postal. → Revise su buzón. En su cuenta en línea puede haber un número de rastreo.',
    notice: 'delivery',
    page: 'delivery',
  },
  {
    titles: { 'Travel Document Was Mailed': 'El documento de viaje fue enviado por correo postal' },
    phase: 'card',
    en: `Your travel document is in the mail. → ${STAY.en} Watch your mailbox. Your online account may have a tracking number.`,
    es: `Su documento de viaje está en camino por correo postal. → ${STAY.es} Revise su buzón. En su cuenta en línea puede haber un número de rastreo.`,
    notice: 'delivery',
    page: 'delivery',
  },
  {
    titles: {
      'Card Was Delivered To Me By The Post Office': 'La oficina de correos me entregó la tarjeta',
      'Document Was Personally Delivered To Me': 'El documento me fue entregado en persona',
    },
    phase: 'card',
    en: 'Records say that your card or document was delivered to you. → Check every line on it. If you do not have it, ask the post office and the people you live with. Then ask USCIS (uscis.gov/e-request).',
    es: 'Según los registros, se le entregó su tarjeta o documento. → Revise cada línea. Si no lo tiene, pregunte en la oficina de correos y a quienes viven con usted. Después pregunte a USCIS (uscis.gov/e-request).',
    page: 'delivery',
  },
  {
    titles: {
      'Card Is Being Returned to USCIS by Post Office':
        'La oficina de correos está devolviendo la tarjeta a USCIS',
      'Card Was Determined As Undeliverable By The Post Office':
        'La oficina de correos determinó que no podía entregar la tarjeta',
      'Card Was Returned To USCIS': 'La tarjeta fue devuelta a USCIS',
      'Document Is Being Held For 180 Days': 'El documento está retenido por 180 días',
      'Document Was Returned As Undeliverable': 'El documento fue devuelto porque no se pudo entregar',
      'Document Was Returned To USCIS': 'El documento fue devuelto a USCIS',
      'Document Was Returned To USCIS And Is Being Held': 'El documento fue devuelto a USCIS y está retenido',
      'Travel Document Was Returned to USCIS And Will Be Held For 180 Days':
        'El documento de viaje fue devuelto a USCIS y será retenido por 180 días',
    },
    phase: 'card',
    action: 'none',
    en: 'The post office could not deliver your card or document. USCIS keeps it for a limited time and then destroys it. → Correct your address with USCIS today. Then ask for the card or document to be mailed again (uscis.gov/e-request).',
    es: 'La oficina de correos no pudo entregar su tarjeta o documento. USCIS lo guarda por un tiempo limitado y después lo destruye. → Corrija hoy su dirección con USCIS. Después pida que le envíen la tarjeta o el documento otra vez (uscis.gov/e-request).',
    page: 'copy',
  },
  {
    titles: {
      'Card Was Destroyed': 'La tarjeta fue destruida',
      'Document Destroyed': 'Documento destruido',
      'Document Was Destroyed After USCIS Held It For 180 Days':
        'El documento fue destruido después de que USCIS lo retuvo por 180 días',
      'Travel Document Was Destroyed After USCIS Held It For 180 Days':
        'El documento de viaje fue destruido después de que USCIS lo retuvo por 180 días',
    },
    phase: 'card',
    en: `The mail came back to USCIS, and the card or document was destroyed. Your immigration status usually does not change. → ${NEW_COPY.en} Check your address with USCIS first.`,
    es: `El correo postal volvió a USCIS, y la tarjeta o el documento fue destruido. Su estatus migratorio, por lo general, no cambia. → ${NEW_COPY.es} Antes verifique su dirección con USCIS.`,
    page: 'forms',
  },
  {
    titles: {
      'Card Destroyed': 'Tarjeta destruida',
      'Travel Document Was Destroyed': 'El documento de viaje fue destruido',
    },
    phase: 'card',
    en: `USCIS destroyed the card or document that you sent back. Your immigration status usually does not change. → If you expected a new one and it does not come, ask USCIS (uscis.gov/e-request). If you did not send one back, contact USCIS.`,
    es: `USCIS destruyó la tarjeta o el documento que usted devolvió. Su estatus migratorio, por lo general, no cambia. → Si esperaba uno nuevo y no llega, pregunte a USCIS (uscis.gov/e-request). Si no devolvió ninguno, comuníquese con USCIS.`,
    page: 'copy',
  },
  {
    titles: {
      'Document Was Destroyed And Letter Was Received': 'El documento fue destruido y se recibió la carta',
    },
    phase: 'card',
    en: 'USCIS destroyed the document and is looking at your letter. → Wait for the answer. If none comes in a few weeks, contact USCIS.',
    es: 'USCIS destruyó el documento y está revisando su carta. → Espere la respuesta. Si no llega en unas semanas, comuníquese con USCIS.',
    page: 'contact',
  },
  {
    titles: {
      'Card Was Received By USCIS Along With My Letter': 'USCIS recibió la tarjeta junto con mi carta',
      'Document And Letter Was Received And Under Review':
        'Se recibieron el documento y la carta y están en revisión',
      'Travel Document Was Received By USCIS Along With My Letter':
        'USCIS recibió el documento de viaje junto con mi carta',
    },
    phase: 'card',
    en: 'USCIS has the card or document that you sent back, and your letter. → Wait for the answer. If you asked for a correction and USCIS agrees, it sends a new one.',
    es: 'USCIS tiene la tarjeta o el documento que usted devolvió, y su carta. → Espere la respuesta. Si usted pidió una corrección y USCIS está de acuerdo, le envía otro.',
    page: 'delivery',
  },
  {
    titles: {
      'Notice Was Returned To USCIS Because The Post Office Could Not Deliver It':
        'La notificación fue devuelta a USCIS porque la oficina de correos no pudo entregarla',
    },
    phase: 'other',
    action: 'none',
    en: 'A letter about this case came back to USCIS. It may have a deadline, and the time may be running. → Correct your address with USCIS today. Then ask for a copy of the letter on uscis.gov/e-request.',
    es: 'Una carta sobre este caso volvió a USCIS. Puede tener un plazo, y el plazo puede estar corriendo. → Corrija hoy su dirección con USCIS. Después pida una copia de la carta en uscis.gov/e-request.',
    page: 'copy',
  },
  {
    titles: {
      'Amended Notice Was Mailed': 'Se envió por correo postal una notificación enmendada',
      'Duplicate Notice Was Mailed': 'Se envió por correo postal un duplicado de la notificación',
    },
    phase: 'other',
    en: 'A corrected notice, or a copy of one, is in the mail. This status does not say what is in it. → Read it on the day it comes. If it asks you for something, answer right away.',
    es: 'Va en camino una notificación corregida, o una copia. Este estatus no dice qué contiene. → Léala el día que llegue. Si le pide algo, responda de inmediato.',
    notice: 'information',
    page: 'copy',
  },
  {
    titles: {
      'Date of Birth Was Updated': 'Se actualizó la fecha de nacimiento',
      'Name Was Updated': 'Se actualizó el nombre',
    },
    phase: 'other',
    en: 'USCIS changed your personal details in its records. The case continues as before. → Check that the change is right. If you did not ask for it, contact USCIS.',
    es: 'USCIS cambió sus datos personales en sus registros. El caso sigue como antes. → Verifique que el cambio sea correcto. Si usted no lo pidió, comuníquese con USCIS.',
    page: 'contact',
  },
  {
    titles: {
      'Fee Refund Was Mailed': 'Se envió por correo postal el reembolso de la tarifa',
      'Fee Will Be Refunded': 'Se reembolsará la tarifa',
      'Premium Processing Fee Will Be Refunded': 'Se reembolsará la tarifa de procesamiento prioritario',
    },
    phase: 'other',
    en: 'USCIS is refunding a fee. The case continues: the refund does not decide it. → The refund goes to whoever paid the fee. If it does not come, contact USCIS.',
    es: 'USCIS reembolsa una tarifa. El caso sigue: el reembolso no lo decide. → El reembolso se envía a quien pagó la tarifa. Si no llega, comuníquese con USCIS.',
    page: 'fees',
  },
];
