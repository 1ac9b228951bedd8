import { IS_NEW, SIGN_IN_PAGE, signInPath } from '@casewatch/contracts/app-pages';
import type { Language } from '@casewatch/contracts/languages';
import { i18n } from '@lingui/core';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';

/** Goes to a path inside the app; null on the stand-alone page, where links load the app. */
export const NavigateContext = createContext<((path: string) => void) | null>(null);

interface AuthLinkProps {
  className: string;
  /** Where the sign-in or sign-up leads; the start page without it. */
  next?: string;
  /** For people without an account: the sign-up is offered first. */
  isNew?: boolean;
  children: ReactNode;
}

/** Renders a link to the sign-in screen: a plain link that the app, where it is running, follows without a load. */
export function AuthLink({ className, next, isNew = false, children }: AuthLinkProps) {
  const href = (next === undefined ? SIGN_IN_PAGE : signInPath(next)) + (isNew ? IS_NEW : '');
  const navigate = useContext(NavigateContext);
  const onClick = (event: MouseEvent) => {
    const opensNewTab =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (navigate === null || opensNewTab) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a className={className} href={href} onClick={onClick}>
      {children}
    </a>
  );
}

/** Leads to the page in the other language, in whose words it stands: its readers may not know this one. */
export function LanguageLink({ path = '/' }: { path?: string }) {
  const other: Language = i18n.locale === 'es' ? 'en' : 'es';
  return (
    <a className="landing-language" href={`${path}?lang=${other}`} lang={other} hrefLang={other}>
      {other === 'es' ? 'Español' : 'English'}
    </a>
  );
}
