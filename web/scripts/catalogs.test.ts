import { fileURLToPath } from 'node:url';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';

const configPath = fileURLToPath(new URL('../lingui.config.ts', import.meta.url));
const config = getConfig({ configPath });
const catalogs = await Promise.all(
  (await getCatalogs(config)).map(async (catalog) => ({
    name: catalog.path.replace(/^.*\/src\/|\/?locales\/\{locale\}$/g, ''),
    inCode: Object.keys((await catalog.collect()) ?? {}).toSorted(),
    english: (await catalog.read('en')) ?? {},
    spanish: (await catalog.read('es')) ?? {},
  })),
);

describe('the catalogs of texts', () => {
  it.each(catalogs)(
    '$name hold exactly the texts of the code, each in Spanish too',
    ({ inCode, english, spanish }) => {
      const advice = 'run `npx lingui extract --clean` in web and translate what is new';
      expect(Object.keys(english).toSorted(), advice).toEqual(inCode);
      expect(Object.keys(spanish).toSorted(), advice).toEqual(inCode);
      const missing = Object.values(spanish).filter(({ translation }) => !translation);
      expect(missing.map(({ message }) => message)).toEqual([]);
      const changed = Object.values(english).filter(({ message, translation }) => message !== translation);
      expect(
        changed.map(({ message }) => message),
        'English texts are written in the code',
      ).toEqual([]);
    },
  );

  it('translate a text the same way wherever it stands', () => {
    const translations = new Map<string, Set<string>>();
    for (const [id, { message, translation }] of catalogs.flatMap(({ spanish }) => Object.entries(spanish))) {
      const key = `${id} ${message}`;
      translations.set(key, (translations.get(key) ?? new Set()).add(translation ?? ''));
    }
    const different = [...translations].filter(([, texts]) => texts.size > 1);
    expect(different.map(([text, texts]) => [text, ...texts])).toEqual([]);
  });

  it('say "log out", as the specification does, and nowhere "sign out"', () => {
    const texts = catalogs.flatMap(({ english }) =>
      Object.values(english).map(({ message, translation }) => message ?? translation ?? ''),
    );
    expect(texts).toContain('Log out');
    expect(texts.filter((text) => /\bsign(s|ed|ing)? out\b/i.test(text))).toEqual([]);
  });

  it('count in Spanish as people do: nothing, one, and two of everything', () => {
    const counted = catalogs
      .flatMap(({ spanish }) => Object.values(spanish))
      .filter(({ message }) => message?.includes(', plural,'))
      .map(({ translation = '' }) => [0, 1, 2].map((n) => inSpanish(translation, n)).join(' | '));
    expect(counted.toSorted()).toMatchInlineSnapshot(`
      [
        "0 cambios pendientes | 1 cambio pendiente | 2 cambios pendientes",
        "0 cambios que hizo sin conexión todavía no se han enviado. | 1 cambio que hizo sin conexión todavía no se ha enviado. | 2 cambios que hizo sin conexión todavía no se han enviado.",
        "0 cambios se enviarán cuando vuelva a tener conexión. | 1 cambio se enviará cuando vuelva a tener conexión. | 2 cambios se enviarán cuando vuelva a tener conexión.",
        "0 casos actualizados | 1 caso actualizado | 2 casos actualizados",
        "0 casos en el archivo | 1 caso en el archivo | 2 casos en el archivo",
        "0 casos guardados | 1 caso guardado | 2 casos guardados",
        "0 casos guardados. | 1 caso guardado. | 2 casos guardados.",
        "0 casos recuperados | 1 caso recuperado | 2 casos recuperados",
        "0 casos seleccionados | 1 caso seleccionado | 2 casos seleccionados",
        "0 casos seleccionados. | 1 caso seleccionado. | 2 casos seleccionados.",
        "0 casos todavía sin guardar | 1 caso todavía sin guardar | 2 casos todavía sin guardar",
        "0 casos | 1 caso | 2 casos",
        "0 casos | 1 caso | 2 casos",
        "0 duplicados omitidos. | 1 duplicado omitido. | 2 duplicados omitidos.",
        "0 días | 1 día | 2 días",
        "0 días | 1 día | 2 días",
        "0 fallaron | 1 falló | 2 fallaron",
        "0 no válidos | 1 no válido | 2 no válidos",
        "0 nuevos | 1 nuevo | 2 nuevos",
        "0 números de recibo agregados. | 1 número de recibo agregado. | 2 números de recibo agregados.",
        "0 repetidos | 1 repetido | 2 repetidos",
        "0 resultados | 1 resultado | 2 resultados",
        "0 sin cambios | 1 sin cambios | 2 sin cambios",
        "0 ya guardados | 1 ya guardado | 2 ya guardados",
        "Al menos 0 días | Al menos 1 día | Al menos 2 días",
        "Consultar 0 casos | Consultar 1 caso | Consultar 2 casos",
        "Empieza con 0 letras en lugar de 3 | Empieza con 1 letra en lugar de 3 | Empieza con 2 letras en lugar de 3",
        "Importar 0 casos | Importar 1 caso | Importar 2 casos",
        "Procesando 0 casos... | Procesando 1 caso... | Procesando 2 casos...",
        "Prueba gratis de 0 días. Cancele cuando quiera. | Prueba gratis de 1 día. Cancele cuando quiera. | Prueba gratis de 2 días. Cancele cuando quiera.",
        "Puede recuperar 0 casos en Quitados recientemente. | Puede recuperar 1 caso en Quitados recientemente. | Puede recuperar 2 casos en Quitados recientemente.",
        "Se deshizo en 0 casos | Se deshizo en 1 caso | Se deshizo en 2 casos",
        "Sus 0 cambios se guardaron | Su cambio se guardó | Sus 2 cambios se guardaron",
        "Tiene 0 dígitos en lugar de 10 después de las letras | Tiene 1 dígito en lugar de 10 después de las letras | Tiene 2 dígitos en lugar de 10 después de las letras",
        "hace 0 días | hace 1 día | hace 2 días",
        "hace 0 horas | hace 1 hora | hace 2 horas",
        "hace 0 minutos | hace 1 minuto | hace 2 minutos",
        "y 0 líneas más | y 1 línea más | y 2 líneas más",
        "y 0 líneas más, en el resumen | y 1 línea más, en el resumen | y 2 líneas más, en el resumen",
        "¿Quitar 0 casos? | ¿Quitar 1 caso? | ¿Quitar 2 casos?",
        "◇ números de recibo no válidos (formato: 3 letras + 10 dígitos) | ◇ número de recibo no válido (formato: 3 letras + 10 dígitos) | ◇ números de recibo no válidos (formato: 3 letras + 10 dígitos)",
        "◇: ◇ de descuento durante 0 meses. | ◇: ◇ de descuento durante 1 mes. | ◇: ◇ de descuento durante 2 meses.",
      ]
    `);
  });
});

/** The text with `n` for everything that it counts; what else it names stands as ◇. */
function inSpanish(text: string, n: number): string {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const named = names(/\{(\w+)\}/g).map((name) => [name, '◇']);
  const numbers = names(/\{(\w+), plural,/g).map((name) => [name, n]);
  const i18n = setupI18n({ locale: 'es', messages: { es: { text } } });
  return i18n._('text', Object.fromEntries([...named, ...numbers]));
}
