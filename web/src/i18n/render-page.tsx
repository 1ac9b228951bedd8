import type { Language } from '@casewatch/contracts/languages';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { messages as english } from './catalog-en.ts';
import { messages as spanish } from './catalog-es.ts';

/** Makes everything that is rendered from now on be in a language, at build time. */
export function renderIn(language: Language): void {
  i18n.loadAndActivate({ locale: language, messages: language === 'es' ? spanish : english });
}

/** Renders a page to HTML, at build time. */
export function htmlOf(page: ReactNode): string {
  return renderToStaticMarkup(<I18nProvider i18n={i18n}>{page}</I18nProvider>);
}
