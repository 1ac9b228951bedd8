import { isWebAddress } from './web-address.ts';

/** Leads a tab to another site. @throws Error for what is no address of a web page */
export function openSite(url: string, tab: { location: Pick<Location, 'assign'> } = window): void {
  if (!isWebAddress(url)) throw new Error('not the address of a web page');
  tab.location.assign(url);
}
