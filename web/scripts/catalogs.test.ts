import { fileURLToPath } from 'node:url';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
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
});
