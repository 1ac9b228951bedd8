import {
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
  STOP_EMAIL_CHANGE_PAGE,
} from '@casewatch/contracts/account-mails';
import { oneLine } from '../domain/texts.ts';
import { type AccountLetters, type AccountLetterWriter, tokenOf } from './account-letters.ts';

/** Returns what the e-mails about an account say, in Spanish. */
export const spanishLetter: AccountLetterWriter = (mail, known) =>
  SPANISH[mail.kind]({
    ...known,
    mail,
    token: tokenOf(mail),
    forgot: { label: 'Elegir una contraseña nueva', url: known.page(FORGOT_PASSWORD_PAGE) },
    validFor: mail.tokenMinutes === null ? '' : inWords(mail.tokenMinutes),
  });

const SPANISH: AccountLetters = {
  'reset-password': ({ mail, page, token, validFor }) => ({
    subject: 'Restablezca su contraseña de Casewatch',
    parts: [
      'Usted, u otra persona, pidió restablecer la contraseña de su cuenta de Casewatch.',
      { label: 'Elegir una contraseña nueva', url: page(RESET_PASSWORD_PAGE) + token },
      `El enlace sirve una sola vez, durante ${validFor}. Una contraseña nueva cierra la sesión en todos los dispositivos.`,
      ...(mail.isFirstProof ? [FIRST_RESET] : []),
      'Si usted no lo pidió, ignore este correo electrónico. Su contraseña no cambia.',
    ],
  }),
  'confirm-email': ({ page, token, validFor, forgot }) => ({
    subject: 'Confirme su dirección de correo electrónico',
    parts: [
      'Le damos la bienvenida a Casewatch. Confirme que esta dirección de correo electrónico es suya, para recibir avisos cuando un caso avance y para usar Pro.',
      { label: 'Confirmar esta dirección', url: page(CONFIRM_EMAIL_PAGE) + token },
      `El enlace sirve una sola vez, durante ${validFor}, junto con la contraseña de la cuenta.`,
      FIRST_PROOF,
      'Si usted no creó esta cuenta, no confirme. Quizás otra persona escribió su dirección por error; usted puede quedarse con la cuenta:',
      forgot,
    ],
  }),
  'change-email': ({ mail, page, token, validFor }) => ({
    subject: 'Confirme su nueva dirección de correo electrónico',
    parts: [
      'Usted pidió usar esta dirección de correo electrónico para su cuenta de Casewatch. Nada cambia hasta que confirme que es suya.',
      { label: 'Confirmar esta dirección', url: page(CONFIRM_EMAIL_PAGE) + token },
      `El enlace sirve una sola vez, durante ${validFor}, junto con la contraseña de la cuenta.`,
      ...(mail.isFirstProof ? [FIRST_PROOF] : []),
      'Si usted no lo pidió, ignore este correo electrónico.',
    ],
  }),
  'stop-email-change': ({ mail, page, token, validFor, at, forgot }) => ({
    subject: 'Alguien pidió cambiar la dirección de correo electrónico de su cuenta de Casewatch',
    parts: [
      `El ${at} alguien que sabe su contraseña pidió usar otra dirección de correo electrónico para su cuenta de Casewatch. El cambio se hace cuando se use el enlace que enviamos allí. Hasta entonces su dirección sigue siendo la misma.`,
      `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
      'Si fue usted, no tiene que hacer nada. Si no, detenga el cambio ahora:',
      { label: 'Detener el cambio', url: page(STOP_EMAIL_CHANGE_PAGE) + token },
      `El enlace sirve una sola vez, durante ${validFor}. Después elija una contraseña nueva; así se cierra la sesión en todos los dispositivos:`,
      forgot,
    ],
  }),
  'address-in-use': ({ page, forgot }) => ({
    subject: 'Usted ya tiene una cuenta de Casewatch',
    parts: [
      'Usted, u otra persona, intentó usar esta dirección de correo electrónico para una cuenta de Casewatch. Ya existe una cuenta con ella.',
      'Si fue usted, inicie sesión:',
      { label: 'Iniciar sesión', url: page('/auth') },
      'Si no sabe la contraseña, o no creó esa cuenta:',
      forgot,
      'Si no fue usted, no tiene que hacer nada.',
    ],
  }),
  'email-changed': ({ at, supportUrl }) => ({
    subject: 'Su cuenta de Casewatch tiene otra dirección de correo electrónico',
    parts: [
      `La dirección de correo electrónico de su cuenta de Casewatch se cambió el ${at}. Desde ahora inicia sesión con la nueva, y aquí ya no llegarán más correos.`,
      ...(supportUrl
        ? [
            'Si usted no lo hizo, otra persona tiene acceso a su cuenta. Comuníquese con soporte de inmediato:',
            { label: 'Comunicarse con soporte', url: supportUrl },
          ]
        : [
            'Si usted no lo hizo, otra persona tiene acceso a su cuenta. Cambie su contraseña en todos los demás lugares donde use la misma.',
          ]),
    ],
  }),
  'password-changed': ({ mail, at, forgot }) => ({
    subject: 'Se cambió su contraseña de Casewatch',
    parts: [
      `La contraseña de su cuenta de Casewatch se cambió el ${at}. Se cerró la sesión en todos los demás dispositivos.`,
      ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
      'Si usted no lo hizo, elija ahora una contraseña nueva:',
      forgot,
    ],
  }),
  'passkey-added': ({ mail, page, at, forgot }) => ({
    subject: 'Se agregó una llave de acceso a su cuenta de Casewatch',
    parts: [
      `El ${at} se agregó una llave de acceso a su cuenta de Casewatch. Abre la cuenta sin la contraseña.`,
      `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
      'Si fue usted, no tiene que hacer nada. Si no, elimine la llave de acceso en su perfil y elija una contraseña nueva:',
      { label: 'Abrir su perfil', url: page('/profile') },
      forgot,
    ],
  }),
  'passkey-removed': ({ mail, at, forgot }) => ({
    subject: 'Se eliminó una llave de acceso de su cuenta de Casewatch',
    parts: [
      `El ${at} se eliminó una llave de acceso de su cuenta de Casewatch. Ya no abre la cuenta; su contraseña todavía la abre.`,
      `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
      'Si fue usted, no tiene que hacer nada. Si no, elija ahora una contraseña nueva; así se cierra la sesión en todos los dispositivos:',
      forgot,
    ],
  }),
  'new-device': ({ mail, at, forgot }) => ({
    subject: 'Nuevo inicio de sesión en su cuenta de Casewatch',
    parts: [
      `Alguien inició sesión en su cuenta de Casewatch en un dispositivo nuevo el ${at}.`,
      `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
      'Si fue usted, no tiene que hacer nada. Si no, elija ahora una contraseña nueva; así se cierra la sesión en todos los dispositivos:',
      forgot,
    ],
  }),
};

const FIRST_PROOF =
  'Por su seguridad, al confirmar se cierra la sesión en todos los demás dispositivos y se eliminan las llaves de acceso agregadas antes.';
const FIRST_RESET =
  'Con ella también se confirma esta dirección de correo electrónico. Por su seguridad, se eliminan las llaves de acceso agregadas antes.';

function passkeysRemain(count: number): string {
  const which =
    count === 1
      ? 'La llave de acceso de su cuenta todavía la abre.'
      : `Las ${count} llaves de acceso de su cuenta todavía la abren.`;
  return `${which} En su perfil, elimine las que no reconozca.`;
}

function inWords(minutes: number): string {
  return minutes >= 120 ? `${Math.round(minutes / 60)} horas` : `${minutes} minutos`;
}
