import type { Translated } from './languages.ts';
import { BULK_SEARCH_MAX, CASE_DATE_LABEL_MAX, CASE_DATES_MAX, EXPORT_SELECTION_MAX, NICKNAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, SAVED_CASE_BULK_MAX, TAG_MAX_LENGTH, TAGS_MAX } from './limits.ts';

const atOnce = (count: number): Translated => ({ en: `Choose at most ${count} receipt numbers at a time`, es: `Elija como máximo ${count} números de recibo a la vez` });

/** What is wrong with a field that a person filled in, by the key that the schemas of the contracts give as their message. */
export const FIELD_TEXTS = {
  'email-invalid': { en: 'Invalid email address', es: 'El correo electrónico no es válido' },
  'receipt-number-invalid': { en: 'Invalid receipt number format', es: 'El número de recibo no tiene un formato válido' },
  'password-required': { en: 'Password is required', es: 'Escriba su contraseña' },
  'password-long': { en: 'Password is too long', es: 'La contraseña es demasiado larga' },
  'password-min': { en: `Password must be at least ${PASSWORD_MIN_LENGTH} characters`, es: `La contraseña debe tener al menos ${PASSWORD_MIN_LENGTH} caracteres` },
  'password-max': { en: `Password must be at most ${PASSWORD_MAX_LENGTH} characters`, es: `La contraseña puede tener como máximo ${PASSWORD_MAX_LENGTH} caracteres` },
  'password-common': { en: 'This password is too common. Choose a longer or less predictable one.', es: 'Esa contraseña es muy común. Elija una más larga o menos previsible.' },
  'password-personal': { en: 'This password contains your name or email address. Choose one that is harder to guess.', es: 'Esa contraseña contiene su nombre o su correo electrónico. Elija una más difícil de adivinar.' },
  'first-name-required': { en: 'First name is required', es: 'Escriba su nombre' },
  'first-name-long': { en: 'First name is too long', es: 'El nombre es demasiado largo' },
  'first-name-line': { en: 'First name must be a single line of text', es: 'El nombre debe ocupar una sola línea' },
  'first-name-invisible': { en: 'First name has an invisible character. Please type it again without it.', es: 'El nombre tiene un carácter invisible. Escríbalo de nuevo sin él.' },
  'last-name-required': { en: 'Last name is required', es: 'Escriba su apellido' },
  'last-name-long': { en: 'Last name is too long', es: 'El apellido es demasiado largo' },
  'last-name-line': { en: 'Last name must be a single line of text', es: 'El apellido debe ocupar una sola línea' },
  'last-name-invisible': { en: 'Last name has an invisible character. Please type it again without it.', es: 'El apellido tiene un carácter invisible. Escríbalo de nuevo sin él.' },
  'role-long': { en: 'Role is too long', es: 'El rol es demasiado largo' },
  'role-line': { en: 'Role must be a single line of text', es: 'El rol debe ocupar una sola línea' },
  'role-invisible': { en: 'Role has an invisible character. Please type it again without it.', es: 'El rol tiene un carácter invisible. Escríbalo de nuevo sin él.' },
  'name-required': { en: 'Enter a name.', es: 'Escriba un nombre.' },
  'name-long': { en: 'The name is too long.', es: 'El nombre es demasiado largo.' },
  'name-line': { en: 'The name must be a single line of text.', es: 'El nombre debe ocupar una sola línea.' },
  'name-invisible': { en: 'The name has an invisible character. Please type it again without it.', es: 'El nombre tiene un carácter invisible. Escríbalo de nuevo sin él.' },
  'nickname-max': { en: `Nickname must be at most ${NICKNAME_MAX_LENGTH} characters`, es: `El nombre corto puede tener como máximo ${NICKNAME_MAX_LENGTH} caracteres` },
  'nickname-invisible': { en: 'Nickname has an invisible character. Please type it again without it.', es: 'El nombre corto tiene un carácter invisible. Escríbalo de nuevo sin él.' },
  'tag-required': { en: 'A tag needs at least one character.', es: 'Una etiqueta necesita al menos un carácter.' },
  'tag-max': { en: `A tag must be at most ${TAG_MAX_LENGTH} characters.`, es: `Una etiqueta puede tener como máximo ${TAG_MAX_LENGTH} caracteres.` },
  'tag-invisible': { en: 'A tag has an invisible character. Please type it again without it.', es: 'Una etiqueta tiene un carácter invisible. Escríbala de nuevo sin él.' },
  'tags-max': { en: `A case can have at most ${TAGS_MAX} tags.`, es: `Un caso puede tener como máximo ${TAGS_MAX} etiquetas.` },
  'tags-at-once': { en: `Choose at most ${TAGS_MAX} tags at a time`, es: `Elija como máximo ${TAGS_MAX} etiquetas a la vez` },
  'day-invalid': { en: 'Enter a date that exists, from 1900 to 2199.', es: 'Indique una fecha que exista, de 1900 a 2199.' },
  'date-label-max': { en: `A note must be at most ${CASE_DATE_LABEL_MAX} characters.`, es: `Una nota puede tener como máximo ${CASE_DATE_LABEL_MAX} caracteres.` },
  'date-label-invisible': { en: 'The note has an invisible character. Please type it again without it.', es: 'La nota tiene un carácter invisible. Escríbala de nuevo sin él.' },
  'dates-max': { en: `A case can have at most ${CASE_DATES_MAX} dates. Remove one that is done.`, es: `Un caso puede tener como máximo ${CASE_DATES_MAX} fechas. Quite una que ya no necesite.` },
  'cases-at-once': { en: `Choose at most ${SAVED_CASE_BULK_MAX} cases at a time`, es: `Elija como máximo ${SAVED_CASE_BULK_MAX} casos a la vez` },
  'lookups-at-once': atOnce(BULK_SEARCH_MAX),
  'changes-at-once': atOnce(SAVED_CASE_BULK_MAX),
  'exports-at-once': atOnce(EXPORT_SELECTION_MAX),
  'no-such-notification': { en: 'Notification not found.', es: 'No se encontró la alerta.' },
  'no-such-device': { en: 'Device not found.', es: 'No se encontró el dispositivo.' },
  'link-incomplete': { en: 'This link is incomplete.', es: 'Este enlace no está completo.' },
  'not-storable': { en: 'A character can’t be saved.', es: 'Hay un carácter que no se puede guardar.' },
  'answer-long': { en: 'An answer is too long.', es: 'Una respuesta es demasiado larga.' },
  'answer-not-storable': { en: 'An answer has a character that can’t be saved.', es: 'Una respuesta tiene un carácter que no se puede guardar.' },
  'time-invalid': { en: 'Enter a time like 22:00', es: 'Indique una hora como 22:00' },
  'quiet-hours-empty': { en: 'Start and end times must differ.', es: 'La hora de inicio y la de fin deben ser distintas.' },
  'time-zone-invalid': { en: 'Enter a time zone like America/New_York', es: 'Indique el nombre de una zona horaria, como America/New_York' },
} as const satisfies Record<string, Translated>;

export type FieldTextKey = keyof typeof FIELD_TEXTS;
/** The message of a schema: a key, or a sentence for developers and the admin area, which are in English only. */
export type FieldMessage = FieldTextKey | `${string} ${string}`;

/** Has the compiler check the key that a schema gives as its message. */
export const fieldMessage = (key: FieldTextKey): FieldTextKey => key;

export function isFieldTextKey(message: string): message is FieldTextKey {
  return Object.hasOwn(FIELD_TEXTS, message);
}
