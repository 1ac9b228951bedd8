import {
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
} from '@casewatch/contracts/account-mails';
import { type AccountLetterWriter, tokenOf } from './account-letters.ts';
import { oneLine } from './letter.ts';

/** What the e-mails about an account say, in Spanish. */
export const spanishLetter: AccountLetterWriter = (mail, { page, at, supportUrl }) => {
  const token = tokenOf(mail);
  const forgot = { label: 'Elegir una contraseña nueva', url: page(FORGOT_PASSWORD_PAGE) };
  const validFor = mail.tokenMinutes === null ? '' : inWords(mail.tokenMinutes);
  switch (mail.kind) {
    case 'reset-password':
      return {
        subject: 'Restablezca su contraseña de Casewatch',
        parts: [
          'Usted, u otra persona, pidió restablecer la contraseña de su cuenta de Casewatch.',
          { label: 'Elegir una contraseña nueva', url: page(RESET_PASSWORD_PAGE) + token },
          `El enlace sirve una sola vez, durante ${validFor}.`,
          'Si usted no lo pidió, ignore este correo electrónico. Su contraseña no cambia.',
        ],
      };
    case 'confirm-email':
      return {
        subject: 'Confirme su dirección de correo electrónico',
        parts: [
          mail.isNewAccount
            ? 'Le damos la bienvenida a Casewatch. Confirme que esta dirección de correo electrónico es suya, para recibir avisos cuando un caso avance y para usar Pro.'
            : 'Usted pidió usar esta dirección de correo electrónico para su cuenta de Casewatch. Nada cambia hasta que confirme que es suya.',
          { label: 'Confirmar esta dirección', url: page(CONFIRM_EMAIL_PAGE) + token },
          `El enlace sirve una sola vez, durante ${validFor}.`,
          ...(mail.isNewAccount
            ? [
                'Si usted no creó esta cuenta, no confirme. Quizás otra persona escribió su dirección por error; usted puede quedarse con la cuenta:',
                forgot,
              ]
            : ['Si usted no lo pidió, ignore este correo electrónico.']),
        ],
      };
    case 'address-in-use':
      return {
        subject: 'Usted ya tiene una cuenta de Casewatch',
        parts: [
          'Usted, u otra persona, intentó usar esta dirección de correo electrónico para una cuenta de Casewatch. Ya existe una cuenta con ella.',
          'Si fue usted, inicie sesión:',
          { label: 'Iniciar sesión', url: page('/auth') },
          'Si no sabe la contraseña, o no creó esa cuenta:',
          forgot,
          'Si no fue usted, no tiene que hacer nada.',
        ],
      };
    case 'email-changed':
      return {
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
      };
    case 'password-changed':
      return {
        subject: 'Se cambió su contraseña de Casewatch',
        parts: [
          `La contraseña de su cuenta de Casewatch se cambió el ${at}. Se cerró la sesión en todos los demás dispositivos.`,
          ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
          'Si usted no lo hizo, elija ahora una contraseña nueva:',
          forgot,
        ],
      };
    case 'passkey-added':
      return {
        subject: 'Se agregó una llave de acceso a su cuenta de Casewatch',
        parts: [
          `El ${at} se agregó una llave de acceso a su cuenta de Casewatch. Abre la cuenta sin la contraseña.`,
          `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
          'Si fue usted, no tiene que hacer nada. Si no, elimine la llave de acceso en su perfil y elija una contraseña nueva:',
          { label: 'Abrir su perfil', url: page('/profile') },
          forgot,
        ],
      };
    case 'passkey-removed':
      return {
        subject: 'Se eliminó una llave de acceso de su cuenta de Casewatch',
        parts: [
          `El ${at} se eliminó una llave de acceso de su cuenta de Casewatch. Ya no abre la cuenta; su contraseña todavía la abre.`,
          `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
          'Si fue usted, no tiene que hacer nada. Si no, elija ahora una contraseña nueva; así se cierra la sesión en todos los dispositivos:',
          forgot,
        ],
      };
    case 'new-device':
      return {
        subject: 'Nuevo inicio de sesión en su cuenta de Casewatch',
        parts: [
          `Alguien inició sesión en su cuenta de Casewatch en un dispositivo nuevo el ${at}.`,
          `Dispositivo: ${oneLine(mail.device ?? 'desconocido')}. Red: ${oneLine(mail.network ?? 'desconocida')}.`,
          'Si fue usted, no tiene que hacer nada. Si no, elija ahora una contraseña nueva; así se cierra la sesión en todos los dispositivos:',
          forgot,
        ],
      };
  }
};

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
