export interface DescriptionTemplate {
  readonly en: string;
  readonly es: string;
}

const LINKS = {
  address: 'https://www.uscis.gov/addresschange',
  contact: 'https://www.uscis.gov/contactcenter',
  times: 'https://egov.uscis.gov/processing-times/',
  account: 'https://my.uscis.gov/',
  forms: 'https://www.uscis.gov/forms',
  biometrics: 'https://www.uscis.gov/forms/filing-guidance/preparing-for-your-biometric-services-appointment',
  appeals: 'https://www.uscis.gov/administrative-appeals',
  visa: 'https://travel.state.gov/content/travel/en/us-visas.html',
  post: 'https://tools.usps.com/go/TrackConfirmAction_input',
} as const;

const link = (to: keyof typeof LINKS, text: string) => `<a href="${LINKS[to]}" target="_blank">${text}</a>`;
const MOVED_EN = `If you move, let us know on ${link('address', 'our change of address page')}.`;
const MOVED_ES = `Si se muda, avísenos en ${link('address', 'nuestra página de cambio de dirección')}.`;
const CALL_EN = `If you have questions, go to ${link('contact', 'www.uscis.gov/contactcenter')}.`;
const CALL_ES = `Si tiene preguntas, visite ${link('contact', 'www.uscis.gov/contactcenter')}.`;

/**
 * What the agency would say with a status, as HTML with links like its own descriptions.
 * `{date}`, `{form}`, `{receipt}` and `{office}` are filled in per case.
 */
export const STATUS_DESCRIPTIONS = {
  received: {
    en: `On {date}, we received your {form}, Receipt Number {receipt}, at our {office}, and sent you a receipt notice. Please keep it for your records. ${MOVED_EN}`,
    es: `El {date} recibimos su {form}, número de recibo {receipt}, en nuestro {office}, y le enviamos un aviso de recibo. Guárdelo para sus archivos. ${MOVED_ES}`,
  },
  'biometrics-set': {
    en: `On {date}, we scheduled a biometrics appointment for your {form}, Receipt Number {receipt}. The notice says when and where to come and ${link('biometrics', 'what to bring')}. ${MOVED_EN}`,
    es: `El {date} programamos una cita de datos biométricos para su {form}, número de recibo {receipt}. La notificación indica cuándo y dónde presentarse y ${link('biometrics', 'qué debe traer')}. ${MOVED_ES}`,
  },
  'biometrics-done': {
    en: `As of {date}, the fingerprints for your {form}, Receipt Number {receipt}, have been taken. Your case goes on to the next step; see ${link('times', 'our processing times')}.`,
    es: `Al {date}, se han tomado las huellas dactilares para su {form}, número de recibo {receipt}. Su caso pasa al siguiente paso; consulte ${link('times', 'nuestros tiempos de procesamiento')}.`,
  },
  'missed-visit': {
    en: `Our records show that no one came on {date} for the in-person appointment for your {form}, Receipt Number {receipt}. ${CALL_EN}`,
    es: `Nuestros registros indican que nadie se presentó el {date} a la cita en persona para su {form}, número de recibo {receipt}. ${CALL_ES}`,
  },
  'evidence-asked': {
    en: `On {date}, we sent a request for evidence about your {form}, Receipt Number {receipt}. It explains what we need and by when. Your case waits until your answer arrives or the time is over. If you have not received the request, ${link('contact', 'contact us')}.`,
    es: `El {date} enviamos una solicitud de evidencia sobre su {form}, número de recibo {receipt}. Explica lo que necesitamos y para cuándo. Su caso queda en espera hasta que llegue su respuesta o venza el plazo. Si no ha recibido la solicitud, ${link('contact', 'comuníquese con nosotros')}.`,
  },
  'evidence-in': {
    en: `On {date}, our {office} received your response for your {form}, Receipt Number {receipt}. We have begun working on your case again. You can compare ${link('times', 'our processing times')}.`,
    es: `El {date}, nuestro {office} recibió su respuesta para su {form}, número de recibo {receipt}. Hemos vuelto a trabajar en su caso. Puede comparar ${link('times', 'nuestros tiempos de procesamiento')}.`,
  },
  'interview-ready': {
    en: `As of {date}, your {form}, Receipt Number {receipt}, is ready for an interview. We will send you a notice with the date and place. ${MOVED_EN}`,
    es: `Al {date}, su {form}, número de recibo {receipt}, está listo para una entrevista. Le enviaremos una notificación con la fecha y el lugar. ${MOVED_ES}`,
  },
  'interview-set': {
    en: `On {date}, we scheduled an interview for your {form}, Receipt Number {receipt}. The notice we mailed says when and where. If you cannot come, follow the notice or ${link('contact', 'contact us')} before that day.`,
    es: `El {date} programamos una entrevista para su {form}, número de recibo {receipt}. La notificación que enviamos indica cuándo y dónde. Si no puede asistir, siga la notificación o ${link('contact', 'comuníquese con nosotros')} antes de ese día.`,
  },
  'interview-done': {
    en: `Your interview for {form}, Receipt Number {receipt}, was completed on {date}, and your case must now be reviewed. You should hear from us within ${link('times', 'our usual processing times')}.`,
    es: `Su entrevista para el {form}, número de recibo {receipt}, se completó el {date} y ahora su caso debe ser revisado. Debería recibir noticias nuestras dentro de ${link('times', 'nuestros tiempos de procesamiento habituales')}.`,
  },
  'interview-off': {
    en: `On {date}, the interview for your {form}, Receipt Number {receipt}, was cancelled. We will mail you a notice about the next step. ${CALL_EN}`,
    es: `El {date} se canceló la entrevista para su {form}, número de recibo {receipt}. Le enviaremos una notificación sobre el próximo paso. ${CALL_ES}`,
  },
  approved: {
    en: `On {date}, we approved your {form}, Receipt Number {receipt}. We sent you an approval notice; please follow what it says. ${MOVED_EN}`,
    es: `El {date} aprobamos su {form}, número de recibo {receipt}. Le enviamos una notificación de aprobación; siga sus indicaciones. ${MOVED_ES}`,
  },
  denied: {
    en: `On {date}, we denied your {form}, Receipt Number {receipt}, and mailed you a decision notice with the reasons and your options, such as ${link('appeals', 'an appeal or a motion')}. ${CALL_EN}`,
    es: `El {date} denegamos su {form}, número de recibo {receipt}, y le enviamos una notificación con las razones y sus opciones, como ${link('appeals', 'una apelación o una moción')}. ${CALL_ES}`,
  },
  rejected: {
    en: `On {date}, we returned your {form}, Receipt Number {receipt}, without processing it. The rejection notice says what to correct. You may file again with the current edition from ${link('forms', 'our forms page')}.`,
    es: `El {date} devolvimos su {form}, número de recibo {receipt}, sin procesarlo. La notificación de rechazo indica qué debe corregir. Puede volver a presentarlo con la edición vigente de ${link('forms', 'nuestra página de formularios')}.`,
  },
  'card-made': {
    en: `On {date}, we began producing the card or document for your {form}, Receipt Number {receipt}. We will mail it to the address we have for you. ${MOVED_EN}`,
    es: `El {date} comenzamos a producir la tarjeta o el documento para su {form}, número de recibo {receipt}. Lo enviaremos a la dirección que tenemos. ${MOVED_ES}`,
  },
  'card-mailed': {
    en: `On {date}, the card or document for your {form}, Receipt Number {receipt}, was handed to the post office. You can ${link('post', 'follow its way')} with the tracking number in your ${link('account', 'online account')}.`,
    es: `El {date}, la tarjeta o el documento para su {form}, número de recibo {receipt}, se entregó a la oficina postal. Puede ${link('post', 'seguir su envío')} con el número de rastreo de su ${link('account', 'cuenta en línea')}.`,
  },
  'card-delivered': {
    en: `On {date}, the post office delivered your card for {form}, Receipt Number {receipt}, to the address that you gave us. If you did not receive it, ${link('contact', 'contact us')}.`,
    es: `El {date}, la oficina postal entregó su tarjeta del {form}, número de recibo {receipt}, en la dirección que nos dio. Si no la recibió, ${link('contact', 'comuníquese con nosotros')}.`,
  },
  'card-back': {
    en: `On {date}, mail about your {form}, Receipt Number {receipt}, came back to us. Please check your address on ${link('address', 'our change of address page')} so that we can send it again.`,
    es: `El {date} nos devolvieron correspondencia sobre su {form}, número de recibo {receipt}. Verifique su dirección en ${link('address', 'nuestra página de cambio de dirección')} para que podamos enviarla de nuevo.`,
  },
  destroyed: {
    en: `On {date}, the card or document for your {form}, Receipt Number {receipt}, was destroyed because it could not be delivered or was no longer valid. ${CALL_EN}`,
    es: `El {date} se destruyó la tarjeta o el documento de su {form}, número de recibo {receipt}, porque no se pudo entregar o ya no era válido. ${CALL_ES}`,
  },
  transferred: {
    en: `On {date}, your {form}, Receipt Number {receipt}, moved from our {office} to another office, which now works on it. The notice we mailed names the office. You can see ${link('times', 'its processing times')}.`,
    es: `El {date}, su {form}, número de recibo {receipt}, pasó de nuestro {office} a otra oficina, que ahora lo tramita. La notificación que enviamos indica cuál. Puede ver ${link('times', 'sus tiempos de procesamiento')}.`,
  },
  'state-department': {
    en: `On {date}, we sent your {form}, Receipt Number {receipt}, to the Department of State for visa processing. For the next steps see ${link('visa', 'travel.state.gov')}.`,
    es: `El {date} enviamos su {form}, número de recibo {receipt}, al Departamento de Estado para el trámite de la visa. Para los próximos pasos consulte ${link('visa', 'travel.state.gov')}.`,
  },
  appeal: {
    en: `On {date}, there was a step in the appeal of your {form}, Receipt Number {receipt}. A notice explains it. Read more about ${link('appeals', 'administrative appeals')}.`,
    es: `El {date} hubo un avance en la apelación de su {form}, número de recibo {receipt}. Una notificación lo explica. Lea más sobre las ${link('appeals', 'apelaciones administrativas')}.`,
  },
  reopened: {
    en: `On {date}, we reopened your {form}, Receipt Number {receipt}, and are looking at it again. We mailed you a notice. ${CALL_EN}`,
    es: `El {date} reabrimos su {form}, número de recibo {receipt}, y lo estamos examinando de nuevo. Le enviamos una notificación. ${CALL_ES}`,
  },
  revocation: {
    en: `On {date}, we sent a notice about ending or revoking the approval of your {form}, Receipt Number {receipt}. It gives the reasons and how to answer. ${CALL_EN}`,
    es: `El {date} enviamos una notificación sobre la terminación o revocación de la aprobación de su {form}, número de recibo {receipt}. Da las razones y cómo responder. ${CALL_ES}`,
  },
  closed: {
    en: `On {date}, we closed your {form}, Receipt Number {receipt}, and sent you a notice that confirms it. ${CALL_EN}`,
    es: `El {date} cerramos su {form}, número de recibo {receipt}, y le enviamos una notificación que lo confirma. ${CALL_ES}`,
  },
  'on-hold': {
    en: `As of {date}, your {form}, Receipt Number {receipt}, is on hold until a court has decided. There is nothing you need to do now. ${CALL_EN}`,
    es: `Al {date}, su {form}, número de recibo {receipt}, está en espera hasta que decida un tribunal. No tiene que hacer nada por ahora. ${CALL_ES}`,
  },
  'in-review': {
    en: `As of {date}, we are reviewing your {form}, Receipt Number {receipt}. We will write to you when there is a decision or when we need something. See ${link('times', 'our processing times')}.`,
    es: `Al {date}, estamos revisando su {form}, número de recibo {receipt}. Le escribiremos cuando haya una decisión o cuando necesitemos algo. Consulte ${link('times', 'nuestros tiempos de procesamiento')}.`,
  },
  notice: {
    en: `On {date}, we mailed you a notice about your {form}, Receipt Number {receipt}. Please follow what it says. ${MOVED_EN}`,
    es: `El {date} le enviamos por correo una notificación sobre su {form}, número de recibo {receipt}. Siga sus indicaciones. ${MOVED_ES}`,
  },
  fee: {
    en: `On {date}, our {office} recorded a change in the fees for your {form}, Receipt Number {receipt}. ${CALL_EN}`,
    es: `El {date}, nuestro {office} registró un cambio en las tarifas de su {form}, número de recibo {receipt}. ${CALL_ES}`,
  },
  expedite: {
    en: `On {date}, there was news on the request to expedite your {form}, Receipt Number {receipt}. We may ask you for documents that support it. ${CALL_EN}`,
    es: `El {date} hubo novedades en la solicitud de agilizar su {form}, número de recibo {receipt}. Es posible que le pidamos documentos que la respalden. ${CALL_ES}`,
  },
  premium: {
    en: `On {date}, our {office} acted on premium processing for your {form}, Receipt Number {receipt}. We will write to you within the time that premium processing promises. ${CALL_EN}`,
    es: `El {date}, nuestro {office} actuó sobre el procesamiento prioritario de su {form}, número de recibo {receipt}. Le escribiremos dentro del plazo del procesamiento prioritario. ${CALL_ES}`,
  },
  'details-changed': {
    en: `On {date}, we corrected your details in your {form}, Receipt Number {receipt}. If anything is still wrong, ${link('contact', 'contact us')}.`,
    es: `El {date} corregimos sus datos en su {form}, número de recibo {receipt}. Si algo sigue incorrecto, ${link('contact', 'comuníquese con nosotros')}.`,
  },
  other: {
    en: `On {date}, there was a change in your {form}, Receipt Number {receipt}. ${CALL_EN}`,
    es: `El {date} hubo un cambio en su {form}, número de recibo {receipt}. ${CALL_ES}`,
  },
} satisfies Record<string, DescriptionTemplate>;

export type DescriptionKind = keyof typeof STATUS_DESCRIPTIONS;
