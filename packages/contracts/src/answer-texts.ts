import type { Translated } from './languages.ts';
import { FREE_SAVED_CASES_MAX, LOG_VIEWS_MAX, PASSKEYS_MAX, PUSH_DEVICES_MAX, SNOOZE_DAYS_MAX } from './limits.ts';
import type { ErrorCode } from './route-contract.ts';

const SOON: Translated = { en: 'Please try again in a moment.', es: 'Inténtelo de nuevo en un momento.' };
const LATER: Translated = { en: 'Please try again in a few minutes.', es: 'Inténtelo de nuevo en unos minutos.' };
/** `{wait}` is made of `seconds`. */
const AFTER: Translated = { en: 'Please try again in {wait}.', es: 'Inténtelo de nuevo en {wait}.' };

/** Says what happened, and when to come back. */
const then = (when: Translated, en: string, es: string): Translated => ({ en: `${en} ${when.en}`, es: `${es} ${when.es}` });
const tooMany = (en: string, es: string) => then(AFTER, en, es);
const agencyDown = (en: string, es: string, when = LATER) => then(when, `The agency’s case status service is temporarily unavailable${en}`, `El servicio de estatus de casos de la agencia no está disponible por ahora${es}`);
const noLookups = (en: string, es: string, when = SOON) => then(when, `Case status lookups are temporarily unavailable: ${en}`, `Por ahora no es posible consultar casos: ${es}`);
/** In the words of the upgrade dialog. */
const proFeature = (en: string, es: string): Translated => ({ en: `${en} is a Pro feature. Upgrade to unlock unlimited case tracking and automation.`, es: `${es} es una función del plan Pro. Con Pro puede seguir casos sin límite y de forma automática.` });

/** What happened, and what to do, by code. */
export const CODE_TEXTS = {
  VALIDATION: { en: 'The request is not valid.', es: 'Algunos datos no son válidos. Revíselos e inténtelo de nuevo.' },
  BAD_REQUEST: { en: 'The request could not be understood. Reload the page and try again.', es: 'No pudimos entender la solicitud. Recargue la página e inténtelo de nuevo.' },
  INVALID_SIGNATURE: { en: 'The signature does not match the body.', es: 'La firma no corresponde al contenido.' },
  LINK_INVALID: { en: 'This link is incomplete or no longer valid. Request a new one.', es: 'Este enlace ya no es válido o no está completo. Pida uno nuevo.' },
  SIGN_IN_EXPIRED: { en: 'This sign-in took too long or was started in another browser. Start again.', es: 'El inicio de sesión tardó demasiado o se empezó en otro navegador. Empiece de nuevo.' },
  SIGNED_OUT: { en: 'Please sign in to continue.', es: 'Inicie sesión para continuar.' },
  INVALID_CREDENTIALS: { en: 'Invalid email or password', es: 'El correo electrónico o la contraseña no son correctos' },
  INVALID_PASSCODE: { en: 'Invalid passcode', es: 'El código de acceso no es correcto' },
  ADMIN_REQUIRED: { en: 'Sign in to the admin area to continue.', es: 'Inicie sesión en el área de administración para continuar.' },
  ADMIN_OFF: { en: 'The admin area is off.', es: 'El área de administración está desactivada.' },
  SIGN_IN_REFUSED: { en: 'You could not be signed in. Start again, or sign in another way.', es: 'No se pudo iniciar sesión. Empiece de nuevo o inicie sesión de otra manera.' },
  PERMISSION_DENIED: { en: 'Your role does not allow this. Ask an owner of the admin area.', es: 'Su función no permite hacer esto. Consulte a quien tenga el control total del área de administración.' },
  WRONG_PASSWORD: { en: 'The current password is not correct. Please try again.', es: 'La contraseña actual no es correcta. Inténtelo de nuevo.' },
  PASSKEY_REFUSED: { en: 'The passkey could not be verified. Please try again.', es: 'No se pudo comprobar la llave de acceso. Inténtelo de nuevo.' },
  CSRF: { en: 'This request did not come from this site. Reload the page and try again.', es: 'Esta solicitud no vino de este sitio. Recargue la página e inténtelo de nuevo.' },
  PRO_REQUIRED: proFeature('This', 'Esto'),
  EMAIL_NOT_VERIFIED: { en: 'Please confirm your email address first: open the link we sent you, then come back.', es: 'Confirme primero su correo electrónico: abra el enlace que le enviamos y vuelva aquí.' },
  SAVED_CASE_LIMIT: proFeature(`Saving more than ${FREE_SAVED_CASES_MAX} cases`, `Guardar más de ${FREE_SAVED_CASES_MAX} casos`),
  DEVICE_LIMIT: { en: `You have push notifications on ${PUSH_DEVICES_MAX} devices, which is the limit. Remove one first.`, es: `Ya recibe alertas en ${PUSH_DEVICES_MAX} dispositivos, que es el máximo. Quite uno primero.` },
  NOT_FOUND: { en: 'There is nothing at this address.', es: 'No encontramos lo que busca. Es posible que ya no exista.' },
  RECEIPT_NOT_RECOGNIZED: {
    en: 'This receipt number was not recognized by the agency. Check it against your receipt notice; a new case can take a few days to appear online.',
    es: 'La agencia no reconoció este número de recibo. Compárelo con su notificación de recibo; un caso nuevo puede tardar unos días en aparecer en línea.',
  },
  SAVED_CASE_NOT_FOUND: { en: 'This case is not in your saved list.', es: 'Este caso no está en sus casos guardados.' },
  INVITATION_NOT_FOUND: { en: 'This invitation has expired or was used already. Ask for a new one.', es: 'Esta invitación venció o ya se usó. Pida una nueva.' },
  METHOD_NOT_ALLOWED: { en: 'This address accepts only GET.', es: 'Esta dirección no admite esa solicitud.' },
  EMAIL_TAKEN: { en: 'An account with this email address already exists.', es: 'Ya existe una cuenta con este correo electrónico.' },
  POLICIES_CHANGED: { en: 'The terms of use and the privacy policy changed while you were reading. Read them again, then create the account.', es: 'Los términos de uso y la política de privacidad cambiaron mientras los leía. Léalos otra vez y después cree la cuenta.' },
  ADMINISTRATOR_EXISTS: { en: 'An administrator with this email address already exists.', es: 'Ya hay una persona administradora con este correo electrónico.' },
  LAST_OWNER: { en: 'This is the last owner. Make someone else an owner first.', es: 'Es la última cuenta con control total. Dé primero ese control a otra persona.' },
  PASSKEY_LIMIT: { en: `You have ${PASSKEYS_MAX} passkeys. Remove one that you no longer use, then add another.`, es: `Ya tiene ${PASSKEYS_MAX} llaves de acceso. Quite una que ya no use y agregue otra.` },
  LOG_VIEW_LIMIT: { en: `You can save up to ${LOG_VIEWS_MAX} views. Delete one that you no longer need.`, es: `Puede guardar hasta ${LOG_VIEWS_MAX} vistas. Elimine una que ya no necesite.` },
  CASE_ALREADY_SAVED: { en: 'This case is already in your saved list.', es: 'Este caso ya está en sus casos guardados.' },
  NO_SUBSCRIPTION: { en: 'You have no subscription to change.', es: 'Usted no tiene una suscripción que cambiar.' },
  ADDRESS_NEEDED: { en: 'Tell us your country and ZIP or postal code: your tax depends on them.', es: 'Indique su país y su código postal: de ellos depende su impuesto.' },
  PROMOTION_REFUSED: { en: 'This code is not valid, or no longer valid.', es: 'Este código no es válido o ya no lo es.' },
  CARD_DECLINED: { en: 'Your card was declined, so nothing has changed. Update your payment method and try again.', es: 'Su tarjeta fue rechazada, así que nada cambió. Actualice su método de pago e inténtelo de nuevo.' },
  SURVEY_CHANGED: { en: 'This survey has changed. Please reload the page to see it as it is now.', es: 'Esta encuesta cambió. Recargue la página para verla como está ahora.' },
  ALREADY_ANSWERED: { en: 'You have already answered this survey.', es: 'Usted ya respondió esta encuesta.' },
  EDIT_CONFLICT: { en: 'Another administrator changed this survey, so nothing was saved. Reload it and make your change again.', es: 'Otra persona cambió esta encuesta mientras tanto. No se guardó nada: recárguela y haga su cambio otra vez.' },
  BODY_TOO_LARGE: { en: 'The body is too large: at most 100 kB.', es: 'Los datos enviados son demasiado grandes: como máximo 100 kB.' },
  UNSUPPORTED_MEDIA_TYPE: { en: 'Send the body as JSON, with the header Content-Type: application/json.', es: 'El formato de los datos no es válido.' },
  AGENCY_REFUSED: { en: 'The agency did not accept this receipt number.', es: 'La agencia no aceptó este número de recibo.' },
  RATE_LIMITED: { en: 'Too many requests. Please wait a moment and try again.', es: 'Demasiadas solicitudes. Espere un momento e inténtelo de nuevo.' },
  AGENCY_BUSY: noLookups('too many people are looking up cases right now.', 'hay demasiadas solicitudes a la vez.'),
  INTERNAL: { en: 'Something went wrong on our side. Please try again.', es: 'Algo salió mal de nuestra parte. Inténtelo de nuevo.' },
  UPSTREAM_UNAVAILABLE: agencyDown('.', '.'),
  AGENCY_UNAVAILABLE: agencyDown('.', '.'),
  BUDGET_SPENT: { en: 'We have reached today’s limit of lookups. Please try again later.', es: 'Llegamos al límite de consultas de hoy. Inténtelo de nuevo más tarde.' },
  PAYMENTS_UNAVAILABLE: { en: 'Payments are not available right now. Please try again shortly.', es: 'Los pagos no están disponibles en este momento. Inténtelo de nuevo en un rato.' },
  PROVIDER_UNAVAILABLE: { en: 'The sign-in provider can’t be reached right now. Try again in a few minutes, or sign in another way.', es: 'No se pudo contactar al proveedor de inicio de sesión. Inténtelo de nuevo en unos minutos o inicie sesión de otra manera.' },
  UNAVAILABLE: { en: 'A part of the service is not available right now. Please try again shortly.', es: 'Una parte del servicio no está disponible en este momento. Inténtelo de nuevo en un momento.' },
} as const satisfies Record<ErrorCode, Translated>;

/** What happened, and what to do, where the code of the error says too little. */
export const REASON_TEXTS = {
  'pro-bulk-search': proFeature('Bulk Search', 'La búsqueda múltiple'),
  'pro-monitoring': proFeature('Automated Monitoring', 'El monitoreo automático'),
  'pro-export': proFeature('Export of case data', 'La exportación de datos de casos'),
  'agency-rate-limited': agencyDown(': it is getting too many requests.', ': recibe demasiadas solicitudes.', SOON),
  'agency-quota-spent': agencyDown(': it accepts no more requests from us today.', ': hoy no acepta más solicitudes nuestras.', AFTER),
  'agency-budget-spent': then(AFTER, 'You have reached today’s lookup limit.', 'Usted llegó al límite de consultas de hoy.'),
  'agency-unavailable': agencyDown(': it is closed or down at the moment.', ': está cerrado o no funciona.'),
  'agency-maintenance': agencyDown(': it is under maintenance.', ': está en mantenimiento.'),
  'agency-unexpected': agencyDown(': it answered with an error.', ': respondió con un error.'),
  'agency-timeout': agencyDown(': it did not answer in time.', ': no respondió a tiempo.'),
  'agency-unreachable': agencyDown(': it could not be reached.', ': no se pudo establecer la conexión.'),
  'agency-unreadable': agencyDown(' for this case: its answer could not be read, so no status is shown.', ' para este caso: no se pudo leer su respuesta, así que no se muestra ningún estatus.'),
  'agency-credentials': then(LATER, 'We can’t connect to USCIS right now.', 'No podemos conectarnos con USCIS en este momento.'),
  'agency-resting': { en: 'USCIS isn’t responding. Try again in a moment.', es: 'USCIS no responde. Inténtelo de nuevo en un momento.' },
  'agency-budget-busy': noLookups('too many people are looking up cases right now.', 'hay demasiadas solicitudes a la vez.'),
  'agency-no-caller': noLookups('we can’t reach the agency right now.', 'en este momento no podemos conectarnos con la agencia.'),
  'lookup-failed': { en: 'Failed to fetch case status', es: 'No se pudo obtener el estatus del caso' },
  'case-lost': { en: 'This case can no longer be restored. You can save it again.', es: 'Este caso ya no se puede recuperar. Puede guardarlo de nuevo.' },
  'snooze-long': { en: `Alerts for a case can be snoozed for at most ${SNOOZE_DAYS_MAX} days.`, es: `Las alertas de un caso se pueden silenciar como máximo ${SNOOZE_DAYS_MAX} días.` },
  'account-deleted': { en: 'This account was deleted. Please sign in with another one.', es: 'Esta cuenta se eliminó. Inicie sesión con otra.' },
  'account-gone': { en: 'This account was deleted.', es: 'Esta cuenta se eliminó.' },
  'passkey-unknown': { en: 'This passkey does not work here. Try another one, or sign in with your password.', es: 'Esta llave de acceso no funciona aquí. Pruebe con otra o inicie sesión con su contraseña.' },
  'passkey-removed': { en: 'This passkey was already removed.', es: 'Esta llave de acceso ya se quitó.' },
  'device-signed-out': { en: 'This device is already logged out.', es: 'En este dispositivo ya se cerró la sesión.' },
  'many-sign-ins': then(SOON, 'Many people are signing in right now.', 'Muchas personas están iniciando sesión ahora.'),
  'sign-in-unchecked': { en: 'Sign-in can’t be checked right now. Please try again shortly.', es: 'Por ahora no se puede comprobar la sesión. Inténtelo de nuevo en un momento.' },
  'not-now': { en: 'We can’t do that right now. Please try again shortly.', es: 'Eso no se puede hacer ahora. Inténtelo de nuevo en un momento.' },
  'too-many-emails-network': tooMany('Too many emails were requested from your network.', 'Se pidieron demasiados correos electrónicos desde su red.'),
  'too-many-emails-account': tooMany('Too many emails were requested by this account.', 'Esta cuenta pidió demasiados correos electrónicos.'),
  'too-many-emails-address': tooMany('Too many emails were requested for this address.', 'Se pidieron demasiados correos electrónicos para esta dirección.'),
  'too-many-password-changes': tooMany('The password was changed too often. You can still reset it by email.', 'La contraseña se cambió demasiadas veces. Todavía puede restablecerla por correo electrónico.'),
  'too-many-sign-ins-account': tooMany('Too many failed sign-ins for this account.', 'Demasiados intentos fallidos de iniciar sesión en esta cuenta.'),
  'too-many-sign-ins-passkey': tooMany('Too many failed sign-ins with this passkey.', 'Demasiados intentos fallidos de iniciar sesión con esta llave de acceso.'),
  'too-many-sign-ins-network': tooMany('Too many failed sign-ins from your network.', 'Demasiados intentos fallidos de iniciar sesión desde su red.'),
  'too-many-sign-ins-begun': tooMany('Too many sign-ins were started from your network.', 'Se iniciaron demasiadas sesiones desde su red.'),
  'too-many-sign-ups': tooMany('Too many accounts were created from your network.', 'Se crearon demasiadas cuentas desde su red.'),
  'too-many-promotion-codes': tooMany('Too many codes were tried by this account.', 'Esta cuenta probó demasiados códigos.'),
  'too-many-passwords': tooMany('Too many wrong passwords.', 'Demasiadas contraseñas incorrectas.'),
  'too-many-passcodes': tooMany('Too many wrong passcodes.', 'Demasiados códigos de acceso incorrectos.'),
  'no-emails': { en: 'This site does not send emails, so you can’t get a link.', es: 'Este sitio no envía correos electrónicos, así que no puede recibir un enlace.' },
  'stop-link-invalid': { en: 'This link is not valid. Use the link of a newer email, or the settings in your profile.', es: 'Este enlace no es válido. Use el de un correo electrónico más reciente, o la configuración de su perfil.' },
  'no-push': { en: 'This site does not send push notifications.', es: 'Este sitio no envía alertas a dispositivos.' },
  'push-service-unknown': { en: 'The push service of this browser is not supported. Try another browser.', es: 'El servicio de notificaciones de este navegador no es compatible. Pruebe con otro navegador.' },
  'push-key-old': { en: 'This device used an old key. Reload the page and try again.', es: 'Este dispositivo usó una llave anterior. Recargue la página e inténtelo de nuevo.' },
  'push-test-early': { en: 'A test was just sent to this device. Wait a few seconds.', es: 'Se acaba de enviar una prueba a este dispositivo. Espere unos segundos.' },
  'time-zone-unknown': { en: 'We do not know this time zone. Choose one like America/New_York.', es: 'No conocemos esta zona horaria. Elija una como America/New_York.' },
  'no-such-payment': { en: 'Payment not found.', es: 'No se encontró ese pago.' },
  'payments-paused': { en: 'Support has paused your payments. You can switch to yearly billing once they resume.', es: 'Soporte puso sus pagos en pausa. Podrá cambiar a la facturación anual cuando se reanuden.' },
  'price-not-offered': { en: 'This price is no longer offered. Reload the page and choose again.', es: 'Este precio ya no se ofrece. Recargue la página y elija de nuevo.' },
  'address-unknown': { en: 'We could not find this place. Check the country and the ZIP or postal code.', es: 'No encontramos ese lugar. Revise el país y el código postal.' },
  'promotion-other-price': { en: 'This code can’t be used with this price.', es: 'Este código no se puede usar con este precio.' },
  'promotion-first-purchase': { en: 'This code is for a first purchase only.', es: 'Este código solo vale para una primera compra.' },
  'promotion-not-after-trial': { en: 'This code takes nothing off the payment after your free trial.', es: 'Este código no descuenta nada del pago que sigue a su prueba gratis.' },
  'amount-changed': { en: 'The amount has changed. Please check it and try again.', es: 'El importe cambió. Revíselo de nuevo.' },
  'payments-off': { en: 'Payments are not set up on this site.', es: 'Este sitio no tiene pagos configurados.' },
  'survey-closed': { en: 'This survey is no longer open.', es: 'Esta encuesta ya no está abierta.' },
  'survey-gone': { en: 'This survey no longer exists.', es: 'Esta encuesta ya no existe.' },
  'answer-missing': { en: 'Please answer all required questions.', es: 'Responda todas las preguntas obligatorias.' },
} as const satisfies Record<string, Translated>;

const center = (place: string): Translated => ({ en: `${place} Service Center`, es: `Centro de Servicio de ${place}` });
const NATIONAL: Translated = { en: 'National Benefits Center', es: 'Centro Nacional de Beneficios' };

/** What the product says of a case where the agency says nothing: its phase, and its office by the prefix of the receipt number. */
export const FACT_TEXTS = {
  'phase-received': { en: 'Received', es: 'Recibido' },
  'phase-biometrics': { en: 'Biometrics', es: 'Datos biométricos' },
  'phase-evidence': { en: 'Evidence', es: 'Evidencia' },
  'phase-interview': { en: 'Interview', es: 'Entrevista' },
  'phase-decision': { en: 'Decision', es: 'Decisión' },
  'phase-card': { en: 'Card', es: 'Tarjeta' },
  'phase-transferred': { en: 'Transferred', es: 'Transferido' },
  'phase-closed': { en: 'Closed', es: 'Cerrado' },
  'phase-other': { en: 'Other', es: 'Otro' },
  'office-IOE': { en: 'Online (IOE)', es: 'En línea (IOE)' },
  'office-EAC': center('Vermont'),
  'office-VSC': center('Vermont'),
  'office-WAC': center('California'),
  'office-CSC': center('California'),
  'office-LIN': center('Nebraska'),
  'office-NSC': center('Nebraska'),
  'office-SRC': center('Texas'),
  'office-TSC': center('Texas'),
  'office-MSC': NATIONAL,
  'office-NBC': NATIONAL,
  'office-YSC': center('Potomac'),
  'office-other': { en: 'Other ({prefix})', es: 'Otro ({prefix})' },
} as const satisfies Record<string, Translated>;
