import { appPageAt, NEXT_PARAMETER, SIGN_IN_PAGE } from '@casewatch/contracts/app-pages';
import { ownPath } from './own-path.ts';

/** Returns where a sign-in leads, from the query of the sign-in screen: a page of this app, else '/'. */
export function returnPath(search: string): string {
  const wanted = ownPath(new URLSearchParams(search).get(NEXT_PARAMETER)) ?? '/';
  return appPageAt(wanted.replace(/[?#].*$/, ''))?.page === SIGN_IN_PAGE ? '/' : wanted;
}
