import type { ErrorCode } from '@casewatch/contracts/route-contract';

/** Where the server's own words are not known: what happened, and what to do. */
export const BY_CODE: Readonly<Record<ErrorCode, string>> = {
  VALIDATION: 'Algunos datos no son válidos. Revíselos e inténtelo de nuevo.',
  BAD_REQUEST: 'No pudimos entender la solicitud. Recargue la página e inténtelo de nuevo.',
  INVALID_SIGNATURE: 'No se pudo comprobar la firma del mensaje.',
  LINK_INVALID: 'Este enlace ya no es válido. Pida uno nuevo.',
  SIGN_IN_EXPIRED: 'El inicio de sesión tardó demasiado. Empiece de nuevo.',
  SIGNED_OUT: 'Inicie sesión para continuar.',
  INVALID_CREDENTIALS: 'El correo electrónico o la contraseña no son correctos.',
  INVALID_PASSCODE: 'El código de acceso no es correcto.',
  ADMIN_REQUIRED: 'Inicie sesión en el área de administración para continuar.',
  ADMIN_OFF: 'El área de administración está desactivada.',
  SIGN_IN_REFUSED: 'No se pudo iniciar sesión. Inténtelo de nuevo o de otra manera.',
  PERMISSION_DENIED: 'Su función no permite hacer esto.',
  WRONG_PASSWORD: 'La contraseña actual no es correcta. Inténtelo de nuevo.',
  PASSKEY_REFUSED: 'No se pudo comprobar la llave de acceso. Inténtelo de nuevo.',
  CSRF: 'Esta solicitud no vino de este sitio. Recargue la página e inténtelo de nuevo.',
  PRO_REQUIRED: 'Esta función es del plan Pro.',
  EMAIL_NOT_VERIFIED: 'Confirme primero su correo electrónico con el enlace que le enviamos.',
  LOG_VIEW_LIMIT: 'Ya tiene el máximo de vistas guardadas. Elimine una para guardar otra.',
  SAVED_CASE_LIMIT: 'Con el plan gratis puede guardar hasta 3 casos. Con Pro no hay límite.',
  DEVICE_LIMIT: 'Ya hay demasiados dispositivos con notificaciones. Quite uno e inténtelo de nuevo.',
  NOT_FOUND: 'No encontramos lo que busca. Es posible que ya no exista.',
  RECEIPT_NOT_RECOGNISED:
    'La agencia no reconoció este número de recibo. Compárelo con su aviso de recibo; un caso nuevo puede tardar unos días en aparecer en línea.',
  SAVED_CASE_NOT_FOUND: 'Este caso no está en sus casos guardados.',
  INVITATION_NOT_FOUND: 'Esta invitación venció o ya se usó. Pida una nueva.',
  METHOD_NOT_ALLOWED: 'Esta dirección no admite esa solicitud.',
  EMAIL_TAKEN: 'Ya existe una cuenta con este correo electrónico.',
  ADMINISTRATOR_EXISTS: 'Ya hay una persona administradora con este correo electrónico.',
  LAST_OWNER: 'Es la última cuenta con control total. Nombre primero otra.',
  PASSKEY_LIMIT: 'Su cuenta ya tiene todas las llaves de acceso posibles. Quite una para agregar otra.',
  CASE_ALREADY_SAVED: 'Este caso ya está en sus casos guardados.',
  NO_SUBSCRIPTION: 'No hay ninguna suscripción con la que se pueda hacer esto.',
  CARD_DECLINED:
    'Su tarjeta fue rechazada, así que nada cambió. Actualice su método de pago e inténtelo de nuevo.',
  SURVEY_CHANGED: 'Esta encuesta cambió. Recargue la página para verla como está ahora.',
  ALREADY_ANSWERED: 'Ya respondió esta encuesta.',
  EDIT_CONFLICT:
    'Otra persona hizo cambios mientras tanto. No se guardó nada: recargue y haga su cambio otra vez.',
  BODY_TOO_LARGE: 'Los datos enviados son demasiado grandes.',
  UNSUPPORTED_MEDIA_TYPE: 'El formato de los datos no es válido.',
  AGENCY_REFUSED: 'La agencia no aceptó este número de recibo.',
  RATE_LIMITED: 'Demasiadas solicitudes. Espere un momento e inténtelo de nuevo.',
  AGENCY_BUSY:
    'Por ahora no es posible consultar casos: hay demasiadas solicitudes a la vez. Inténtelo de nuevo en un momento.',
  INTERNAL: 'Algo salió mal de nuestra parte. Inténtelo de nuevo.',
  UPSTREAM_UNAVAILABLE:
    'El servicio de casos de la agencia no está disponible por ahora. Inténtelo de nuevo en unos minutos.',
  AGENCY_UNAVAILABLE:
    'El servicio de casos de la agencia no está disponible por ahora. Inténtelo de nuevo en unos minutos.',
  BUDGET_SPENT:
    'Por ahora no es posible consultar casos: las consultas de hoy a la agencia se agotaron, o la parte que le corresponde a usted.',
  PAYMENTS_UNAVAILABLE: 'Los pagos no están disponibles en este momento. Inténtelo de nuevo en un rato.',
  PROVIDER_UNAVAILABLE: 'No se pudo contactar al proveedor. Inténtelo de nuevo en unos minutos.',
  UNAVAILABLE: 'El servicio no está disponible en este momento. Inténtelo de nuevo en un momento.',
};

/** What a code alone does not say, by the English words of the server or of a schema. */
const BY_TEXT: Readonly<Record<string, string>> = {
  'Invalid email address': 'El correo electrónico no es válido',
  'Invalid email or password': 'El correo electrónico o la contraseña no son correctos',
  'Invalid receipt number format': 'El número de recibo no tiene un formato válido',
  'Password is required': 'Escriba su contraseña',
  'Password is too long': 'La contraseña es demasiado larga',
  'Enter a name.': 'Escriba un nombre.',
  'This link is not complete.': 'Este enlace no está completo.',
  'This link is not valid. Use the link of a newer email, or the settings in your profile.':
    'Este enlace no es válido. Use el de un correo electrónico más reciente, o la configuración de su perfil.',
  "This site does not send emails, so you can't get a link.":
    'Este sitio no envía correos electrónicos, así que no puede recibir un enlace.',
  'A character can’t be stored.': 'Hay un carácter que no se puede guardar.',
  'A tag needs at least one character.': 'Una etiqueta necesita al menos un carácter.',
  'Give at least one tag': 'Indique al menos una etiqueta',
  'Give at least one receipt number': 'Indique al menos un número de recibo',
  'Give at least one case': 'Indique al menos un caso',
  'Give up to 100 receipt numbers, separated by commas':
    'Indique hasta 100 números de recibo, separados por comas',
  'Give a nickname, a monitoringFrequency, tags, archived or snoozedUntil':
    'Indique qué quiere cambiar del caso',
  'Give a time like 22:00': 'Indique una hora como 22:00',
  'Quiet hours need a beginning and another end':
    'Las horas de silencio necesitan un comienzo y un final distintos',
  'Give the name of a time zone like America/New_York':
    'Indique el nombre de una zona horaria, como America/New_York',
  'This time zone is not known here': 'Aquí no se conoce esta zona horaria',
  'Choose whether messages to this device name receipt numbers':
    'Elija si los mensajes a este dispositivo muestran números de recibo',
  'That is no price.': 'Ese precio no existe.',
  'That is no payment.': 'Ese pago no existe.',
  'An answer is too long.': 'Una respuesta es demasiado larga.',
  'An answer has a character that can’t be stored.':
    'Una respuesta tiene un carácter que no se puede guardar.',
  'Please answer all required questions.': 'Responda todas las preguntas obligatorias.',
  'This survey is not open any more.': 'Esta encuesta ya no está abierta.',
  'This survey does not exist any more.': 'Esta encuesta ya no existe.',
  'This passkey has been removed already.': 'Esta llave de acceso ya se quitó.',
  'This passkey does not work here. Try another one, or sign in with your password.':
    'Esta llave de acceso no funciona aquí. Pruebe con otra o inicie sesión con su contraseña.',
  'This device is logged out already.': 'Este dispositivo ya cerró la sesión.',
  'This account was deleted. Please sign in with another one.':
    'Esta cuenta se eliminó. Inicie sesión con otra.',
  'This account is deleted.': 'Esta cuenta se eliminó.',
  'This case can no longer be restored. You can save it again.':
    'Este caso ya no se puede recuperar. Puede guardarlo de nuevo.',
  'There is no such device.': 'Este dispositivo no existe.',
  'There is no such notification.': 'Esta notificación no existe.',
  'There is no such payment.': 'Ese pago no existe.',
  'The push service of this browser is not supported. Try another browser.':
    'El servicio de notificaciones de este navegador no es compatible. Pruebe con otro navegador.',
  'This device used an old key. Reload the page and try again.':
    'Este dispositivo usó una llave anterior. Recargue la página e inténtelo de nuevo.',
  'This price is not offered any more. Reload the page and choose again.':
    'Este precio ya no se ofrece. Recargue la página y elija de nuevo.',
  'The amount is out of date. Please look at it again.': 'El importe cambió. Revíselo de nuevo.',
  'Payments are not set up on this site.': 'Este sitio no tiene pagos configurados.',
  'Many people are signing in right now. Please try again in a moment.':
    'Muchas personas están iniciando sesión ahora. Inténtelo de nuevo en un momento.',
  'Sign-in can’t be checked right now. Please try again shortly.':
    'Por ahora no se puede comprobar la sesión. Inténtelo de nuevo en un momento.',
  Received: 'Recibido',
  Biometrics: 'Datos biométricos',
  Evidence: 'Evidencia',
  Interview: 'Entrevista',
  Decision: 'Decisión',
  Card: 'Tarjeta',
  Transferred: 'Transferido',
  Closed: 'Cerrado',
  Other: 'Otro',
  'Online (IOE)': 'En línea (IOE)',
  'Vermont Service Center': 'Centro de Servicio de Vermont',
  'California Service Center': 'Centro de Servicio de California',
  'Nebraska Service Center': 'Centro de Servicio de Nebraska',
  'Texas Service Center': 'Centro de Servicio de Texas',
  'Potomac Service Center': 'Centro de Servicio de Potomac',
  'National Benefits Center': 'Centro Nacional de Beneficios',
};

const FIELDS: Readonly<Record<string, string>> = {
  'First name': 'El nombre',
  'Last name': 'El apellido',
  Name: 'El nombre',
  'The name': 'El nombre',
  Role: 'El campo “A qué se dedica”',
  Password: 'La contraseña',
  Nickname: 'El apodo',
  'A tag': 'La etiqueta',
  search: 'La búsqueda',
  status: 'El estado',
  form: 'El formulario',
  tag: 'La etiqueta',
};
const FEATURES: Readonly<Record<string, string>> = {
  'Bulk Search': 'La búsqueda múltiple',
  'Automated Monitoring': 'El monitoreo automático',
  'Saving more than 3 cases': 'Guardar más de 3 casos',
  'Export of case data': 'La exportación de datos de casos',
};
const UNITS: Readonly<Record<string, string>> = {
  'a minute': 'un minuto',
  minute: 'minuto',
  minutes: 'minutos',
  hours: 'horas',
};

/** Texts with a field, a feature or a number in them. */
const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^(.+) is required$/, (field) => `${nameOf(field)} es obligatorio`],
  [/^(.+) is too long\.?$/, (field) => `${nameOf(field)} es demasiado largo`],
  [/^(.+) must be a single line of text\.?$/, (field) => `${nameOf(field)} debe ocupar una sola línea`],
  [
    /^(.+) has an invisible character\. Please type it again without it\.$/,
    (field) => `${nameOf(field)} tiene un carácter invisible. Escríbalo de nuevo sin él.`,
  ],
  [
    /^(.+) must be at least (\d+) characters\.?$/,
    (field, n) => `${nameOf(field)} debe tener al menos ${n} caracteres`,
  ],
  [
    /^(.+) must be at most (\d+) characters\.?$/,
    (field, n) => `${nameOf(field)} puede tener como máximo ${n} caracteres`,
  ],
  [/^A case can have at most (\d+) tags\.$/, (n) => `Un caso puede tener como máximo ${n} etiquetas.`],
  [/^At most (\d+) receipt numbers at once$/, (n) => `Como máximo ${n} números de recibo a la vez`],
  [/^At most (\d+) (?:cases|tags) at once$/, (n) => `Como máximo ${n} a la vez`],
  [
    /^(.+) is a Pro feature\. Upgrade to unlock unlimited case tracking and automation\.$/,
    (feature) =>
      `${FEATURES[feature] ?? feature} es una función del plan Pro. Con Pro puede seguir casos sin límite y de forma automática.`,
  ],
  [
    /^The agency did not accept this receipt number: (.+)$/,
    (message) => `La agencia no aceptó este número de recibo. En sus palabras: “${message}”`,
  ],
  [
    /^The password was changed too often\. You can still reset it by email\. Please try again in (\d+) (minutes?)\.$/,
    (n, unit) =>
      `La contraseña se cambió demasiadas veces. Puede restablecerla por correo electrónico o intentarlo de nuevo en ${n} ${UNITS[unit]}.`,
  ],
  [/^Other \((\w+)\)$/, (prefix) => `Otro (${prefix})`],
];
/** Ends a text that says when to come back; the rest follows from its code. */
const WAIT = /Please try again in (?:(\d+) )?(a minute|minutes?|hours)\.$/;
const WAIT_CODES: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'Demasiados intentos.',
  BUDGET_SPENT: BY_CODE.BUDGET_SPENT,
};

const TEXTS = new Map(Object.entries(BY_TEXT));

/** Returns what the server says, or a schema of the contracts does, in Spanish; undefined for what is not known. */
export function spanishServerText(text: string, code: string | undefined): string | undefined {
  const exact = TEXTS.get(text) ?? fromPattern(text);
  if (exact !== undefined) return exact;
  const [, amount, unit = ''] = WAIT.exec(text) ?? [];
  const message = WAIT_CODES[code ?? ''];
  if (message !== undefined && unit !== '') {
    return `${message} Inténtelo de nuevo en ${[amount, UNITS[unit]].filter(Boolean).join(' ')}.`;
  }
  return isErrorCode(code) ? BY_CODE[code] : undefined;
}

function fromPattern(text: string): string | undefined {
  for (const [pattern, write] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return write(...found.slice(1));
  }
  return undefined;
}

function nameOf(field: string): string {
  return FIELDS[field] ?? field;
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.keys(BY_CODE).includes(code);
}
