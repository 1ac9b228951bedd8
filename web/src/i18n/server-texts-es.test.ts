import { ERROR_STATUS } from '@casewatch/contracts/route-contract';
import { routes } from '@casewatch/contracts/routes';
import { describe, expect, it } from 'vitest';
import { BY_CODE, spanishServerText } from './server-texts-es.ts';

describe('the texts of the server in Spanish', () => {
  it('have a text for every code of an error, and for no other', () => {
    expect(Object.keys(BY_CODE).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
    for (const text of Object.values(BY_CODE)) {
      expect(text).toMatch(/\.$/);
      expect(text).not.toMatch(/\b(?:the|your|please|try again|is not)\b/i);
    }
  });

  it('say what the schemas of all forms for users say', () => {
    const lacking = schemaTexts().filter((text) => spanishServerText(text, undefined) === undefined);
    expect(lacking).toEqual([]);
  });

  it('keep the number of minutes that a person has to wait', () => {
    const text = 'Too many wrong passwords. Please try again in 12 minutes.';
    expect(spanishServerText(text, 'RATE_LIMITED')).toBe(
      'Demasiados intentos. Inténtelo de nuevo en 12 minutos.',
    );
    const changed =
      'The password was changed too often. You can still reset it by email. Please try again in 1 minute.';
    expect(spanishServerText(changed, 'RATE_LIMITED')).toBe(
      'La contraseña se cambió demasiadas veces. Puede restablecerla por correo electrónico o intentarlo de nuevo en 1 minuto.',
    );
    expect(spanishServerText('Used up. Please try again in 22 hours.', 'RATE_LIMITED')).toMatch(
      / 22 horas\.$/,
    );
    expect(spanishServerText('Used up. Please try again in a minute.', 'BUDGET_SPENT')).toMatch(
      /Inténtelo de nuevo en un minuto\.$/,
    );
  });

  it('say what to do with a link that stops emails and is not valid, and where no emails are sent', () => {
    const link = 'This link is not valid. Use the link of a newer email, or the settings in your profile.';
    expect(spanishServerText(link, 'INVALID_SIGNATURE')).toContain('la configuración de su perfil');
    const noMails = "This site does not send emails, so you can't get a link.";
    expect(spanishServerText(noMails, 'UNAVAILABLE')).toContain('no envía correos electrónicos');
  });

  it("keep the agency's own words", () => {
    const text = 'The agency did not accept this receipt number: The case is sealed.';
    expect(spanishServerText(text, 'AGENCY_REFUSED')).toContain('The case is sealed.');
  });

  it('say of an unknown text what its code means, and nothing of an unknown code', () => {
    expect(spanishServerText('Something new.', 'NOT_FOUND')).toBe(BY_CODE.NOT_FOUND);
    expect(spanishServerText('Something new.', 'NEW_CODE')).toBeUndefined();
    expect(spanishServerText('toString', 'toString')).toBeUndefined();
  });
});

/** What the contracts for users say of wrong input; an address of the app or a protocol is no form. */
function schemaTexts(): string[] {
  const texts = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('error' in value && typeof value.error === 'function') {
      const text: unknown = value.error({ input: undefined, code: 'custom' });
      if (typeof text === 'string') texts.add(text);
    }
    for (const part of Object.values('_zod' in value ? definitionOf(value._zod) : value)) walk(part);
  };
  for (const { access, path, body, params, query } of routes) {
    if ((access === 'user' || access === 'public') && !path.startsWith('/api/admin'))
      walk([body, params, query]);
  }
  return [...texts].filter((text) => !/base64url|https URL/.test(text)).toSorted();
}

function definitionOf(internals: unknown): object {
  const isObject = typeof internals === 'object' && internals !== null && 'def' in internals;
  return isObject && typeof internals.def === 'object' && internals.def !== null ? internals.def : {};
}
