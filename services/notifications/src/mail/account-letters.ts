import {
  type AccountMail,
  CONFIRM_EMAIL_PAGE,
  FORGOT_PASSWORD_PAGE,
  RESET_PASSWORD_PAGE,
  STOP_EMAIL_CHANGE_PAGE,
} from '@casewatch/contracts/account-mails';
import type { Translated } from '@casewatch/contracts/languages';
import { oneLine } from '../domain/texts.ts';

interface TranslatedLink {
  readonly label: Translated;
  readonly url: string;
}

export interface AccountLetter {
  readonly subject: Translated;
  /** Sentences in order; a link stands on a line of its own. */
  readonly parts: readonly (Translated | TranslatedLink)[];
}

interface KnownOfLetter {
  readonly page: (path: string) => string;
  /** When it was requested. */
  readonly at: Translated;
  /** Where there is support, if anywhere. */
  readonly supportUrl: string | undefined;
}

interface LetterParts extends KnownOfLetter {
  readonly mail: AccountMail;
  /** The fragment of a link. */
  readonly token: string;
  /** Leads to the form that requests a new password. */
  readonly forgot: TranslatedLink;
  readonly validFor: Translated;
}

/** Returns what the e-mail about an account says, in every language. */
export function accountLetter(mail: AccountMail, known: KnownOfLetter): AccountLetter {
  return LETTERS[mail.kind]({
    ...known,
    mail,
    token: mail.token === null ? '' : `#${encodeURIComponent(mail.token)}`,
    forgot: { label: NEW_PASSWORD, url: known.page(FORGOT_PASSWORD_PAGE) },
    validFor: inWords(mail.tokenMinutes ?? 0),
  });
}

const LETTERS: Readonly<Record<AccountMail['kind'], (known: LetterParts) => AccountLetter>> = {
  'reset-password': ({ mail, page, token, validFor }) => ({
    subject: { en: 'Reset your Casewatch password', es: 'Restablezca su contraseña de Casewatch' },
    parts: [
      {
        en: 'You, or someone else, asked to reset the password of your Casewatch account.',
        es: 'Usted, u otra persona, pidió restablecer la contraseña de su cuenta de Casewatch.',
      },
      { label: NEW_PASSWORD, url: page(RESET_PASSWORD_PAGE) + token },
      {
        en: `The link works once, for ${validFor.en}. A new password logs out all devices.`,
        es: `El enlace sirve una sola vez, durante ${validFor.es}. Una contraseña nueva cierra la sesión en todos los dispositivos.`,
      },
      ...(mail.isFirstProof ? [FIRST_RESET] : []),
      {
        en: 'If you did not ask for this, ignore this email. Your password does not change.',
        es: 'Si usted no lo pidió, ignore este correo electrónico. Su contraseña no cambia.',
      },
    ],
  }),
  'confirm-email': ({ page, token, validFor }) => ({
    subject: { en: 'Confirm your email address', es: 'Confirme su dirección de correo electrónico' },
    parts: [
      {
        en: 'Welcome to Casewatch. Confirm that this email address is yours to get emails when a case’s status changes and to use Pro.',
        es: 'Le damos la bienvenida a Casewatch. Confirme que esta dirección de correo electrónico es suya, para recibir alertas cuando cambie el estatus de un caso y para usar Pro.',
      },
      { label: CONFIRM, url: page(CONFIRM_EMAIL_PAGE) + token },
      onceWithPassword(validFor),
      FIRST_PROOF,
      {
        en: 'If you did not sign up, ignore this email. Someone else may have typed your address by mistake.',
        es: 'Si usted no creó esta cuenta, ignore este correo electrónico. Quizás otra persona escribió su dirección por error.',
      },
    ],
  }),
  'change-email': ({ mail, page, token, validFor }) => ({
    subject: {
      en: 'Confirm your new email address',
      es: 'Confirme su nueva dirección de correo electrónico',
    },
    parts: [
      {
        en: 'You asked to use this email address for your Casewatch account. Nothing changes until you confirm that it is yours.',
        es: 'Usted pidió usar esta dirección de correo electrónico para su cuenta de Casewatch. Nada cambia hasta que confirme que es suya.',
      },
      { label: CONFIRM, url: page(CONFIRM_EMAIL_PAGE) + token },
      onceWithPassword(validFor),
      ...(mail.isFirstProof ? [FIRST_PROOF] : []),
      {
        en: 'If you did not ask for this, ignore this email.',
        es: 'Si usted no lo pidió, ignore este correo electrónico.',
      },
    ],
  }),
  'stop-email-change': ({ mail, page, token, validFor, at, forgot }) => ({
    subject: {
      en: 'Someone asked to change the email address of your Casewatch account',
      es: 'Alguien pidió cambiar la dirección de correo electrónico de su cuenta de Casewatch',
    },
    parts: [
      {
        en: `On ${at.en} someone who knows your password asked to use another email address for your Casewatch account. The change takes effect when the link that we sent there is used. Until then your address stays the same.`,
        es: `El ${at.es} alguien que sabe su contraseña pidió usar otra dirección de correo electrónico para su cuenta de Casewatch. El cambio se hace cuando se use el enlace que enviamos allí. Hasta entonces su dirección sigue siendo la misma.`,
      },
      deviceOf(mail),
      {
        en: 'If this was you, there is nothing to do. If not, stop the change now:',
        es: 'Si fue usted, no tiene que hacer nada. Si no, detenga el cambio ahora:',
      },
      {
        label: { en: 'Stop the change', es: 'Detener el cambio' },
        url: page(STOP_EMAIL_CHANGE_PAGE) + token,
      },
      {
        en: `The link works once, for ${validFor.en}. Then choose a new password, which logs out all devices:`,
        es: `El enlace sirve una sola vez, durante ${validFor.es}. Después elija una contraseña nueva; así se cierra la sesión en todos los dispositivos:`,
      },
      forgot,
    ],
  }),
  'address-in-use': ({ page, forgot }) => ({
    subject: { en: 'You already have a Casewatch account', es: 'Usted ya tiene una cuenta de Casewatch' },
    parts: [
      {
        en: 'You, or someone else, tried to use this email address for a Casewatch account. An account with this address already exists.',
        es: 'Usted, u otra persona, intentó usar esta dirección de correo electrónico para una cuenta de Casewatch. Ya existe una cuenta con ella.',
      },
      { en: 'If that was you, sign in:', es: 'Si fue usted, inicie sesión:' },
      { label: { en: 'Sign in', es: 'Iniciar sesión' }, url: page('/auth') },
      {
        en: 'If you do not know the password, or did not create that account yourself:',
        es: 'Si no sabe la contraseña, o no creó esa cuenta:',
      },
      forgot,
      { en: 'If it was not you, there is nothing to do.', es: 'Si no fue usted, no tiene que hacer nada.' },
    ],
  }),
  'email-changed': ({ at, supportUrl }) => ({
    subject: {
      en: 'Your Casewatch email address was changed',
      es: 'Se cambió la dirección de correo electrónico de su cuenta de Casewatch',
    },
    parts: [
      {
        en: `The email address of your Casewatch account was changed on ${at.en}. From now on, sign in with the new one. We won’t email this address again.`,
        es: `La dirección de correo electrónico de su cuenta de Casewatch se cambió el ${at.es}. Desde ahora, inicie sesión con la nueva. Ya no enviaremos correos a esta dirección.`,
      },
      ...(supportUrl
        ? [
            {
              en: 'If you did not do this, someone else has access to your account. Contact support at once:',
              es: 'Si usted no lo hizo, otra persona tiene acceso a su cuenta. Comuníquese con soporte de inmediato:',
            },
            { label: { en: 'Contact support', es: 'Comunicarse con soporte' }, url: supportUrl },
          ]
        : [
            {
              en: 'If you did not do this, someone else has access to your account. Change your password wherever else you use the same one.',
              es: 'Si usted no lo hizo, otra persona tiene acceso a su cuenta. Cambie su contraseña en todos los demás lugares donde use la misma.',
            },
          ]),
    ],
  }),
  'password-changed': ({ mail, at, forgot }) => ({
    subject: { en: 'Your Casewatch password was changed', es: 'Se cambió su contraseña de Casewatch' },
    parts: [
      {
        en: `The password of your Casewatch account was changed on ${at.en}. All other devices were logged out.`,
        es: `La contraseña de su cuenta de Casewatch se cambió el ${at.es}. Se cerró la sesión en todos los demás dispositivos.`,
      },
      ...(mail.passkeys > 0 ? [passkeysRemain(mail.passkeys)] : []),
      {
        en: 'If you did not do this, choose a new password now:',
        es: 'Si usted no lo hizo, elija ahora una contraseña nueva:',
      },
      forgot,
    ],
  }),
  'passkey-added': ({ mail, page, at, forgot }) => ({
    subject: {
      en: 'A passkey was added to your Casewatch account',
      es: 'Se agregó una llave de acceso a su cuenta de Casewatch',
    },
    parts: [
      {
        en: `A passkey was added to your Casewatch account on ${at.en}. It can be used to sign in without a password.`,
        es: `El ${at.es} se agregó una llave de acceso a su cuenta de Casewatch. Con ella se puede iniciar sesión sin contraseña.`,
      },
      deviceOf(mail),
      {
        en: 'If this was you, there is nothing to do. If not, remove the passkey in your profile, and choose a new password:',
        es: 'Si fue usted, no tiene que hacer nada. Si no, elimine la llave de acceso en su perfil y elija una contraseña nueva:',
      },
      { label: { en: 'Open your profile', es: 'Abrir su perfil' }, url: page('/profile/security') },
      forgot,
    ],
  }),
  'passkey-removed': ({ mail, at, forgot }) => ({
    subject: {
      en: 'A passkey was removed from your Casewatch account',
      es: 'Se eliminó una llave de acceso de su cuenta de Casewatch',
    },
    parts: [
      {
        en: `A passkey was removed from your Casewatch account on ${at.en}. It can no longer be used to sign in. Your password still works.`,
        es: `El ${at.es} se eliminó una llave de acceso de su cuenta de Casewatch. Con ella ya no se puede iniciar sesión. Su contraseña sigue funcionando.`,
      },
      deviceOf(mail),
      NOT_YOU,
      forgot,
    ],
  }),
  'new-device': ({ mail, at, forgot }) => ({
    subject: {
      en: 'New sign-in to your Casewatch account',
      es: 'Nuevo inicio de sesión en su cuenta de Casewatch',
    },
    parts: [
      {
        en: `Someone signed in to your Casewatch account on a new device on ${at.en}.`,
        es: `Alguien inició sesión en su cuenta de Casewatch en un dispositivo nuevo el ${at.es}.`,
      },
      deviceOf(mail),
      NOT_YOU,
      forgot,
    ],
  }),
};

const CONFIRM: Translated = { en: 'Confirm this email address', es: 'Confirmar esta dirección' };
const NEW_PASSWORD: Translated = { en: 'Choose a new password', es: 'Elegir una contraseña nueva' };
const FIRST_PROOF: Translated = {
  en: 'For your security, all other devices are then logged out, and passkeys that were added before are removed.',
  es: 'Por su seguridad, al confirmar se cierra la sesión en todos los demás dispositivos y se eliminan las llaves de acceso agregadas antes.',
};
const FIRST_RESET: Translated = {
  en: 'It also confirms this email address. For your security, passkeys that were added before are removed.',
  es: 'Con ella también se confirma esta dirección de correo electrónico. Por su seguridad, se eliminan las llaves de acceso agregadas antes.',
};
const NOT_YOU: Translated = {
  en: 'If this was you, there is nothing to do. If not, choose a new password now, which logs out all devices:',
  es: 'Si fue usted, no tiene que hacer nada. Si no, elija ahora una contraseña nueva; así se cierra la sesión en todos los dispositivos:',
};

const onceWithPassword = ({ en, es }: Translated): Translated => ({
  en: `The link works once, for ${en}. You will also need your account password.`,
  es: `El enlace sirve una sola vez, durante ${es}. También necesitará la contraseña de su cuenta.`,
});

const deviceOf = ({ device, network }: AccountMail): Translated => ({
  en: `Device: ${oneLine(device ?? 'unknown')}. Network: ${oneLine(network ?? 'unknown')}.`,
  es: `Dispositivo: ${oneLine(device ?? 'desconocido')}. Red: ${oneLine(network ?? 'desconocida')}.`,
});

function passkeysRemain(count: number): Translated {
  const isOne = count === 1;
  const en = isOne
    ? 'The passkey of your account still works'
    : `The ${count} passkeys of your account still work`;
  const es = isOne
    ? 'La llave de acceso de su cuenta sigue funcionando'
    : `Las ${count} llaves de acceso de su cuenta siguen funcionando`;
  return {
    en: `${en}. In your profile, remove any passkey that you do not recognize.`,
    es: `${es}. En su perfil, elimine las que no reconozca.`,
  };
}

function inWords(minutes: number): Translated {
  const hours = Math.round(minutes / 60);
  return minutes >= 120
    ? { en: `${hours} hours`, es: `${hours} horas` }
    : { en: `${minutes} minutes`, es: `${minutes} minutos` };
}
