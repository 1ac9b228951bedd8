import { type ComponentType, useEffect, useState } from 'react';

/**
 * Returns a page that the link of an e-mail opens, with the token of the link. The token is kept from when the page was opened:
 * navigating within the page changes the address. Another link that is opened in the same tab begins the page anew.
 */
export function withLinkToken(Page: ComponentType<{ token: string }>): () => React.JSX.Element {
  return function LinkPage() {
    const [token, setToken] = useState(shownToken);
    useEffect(() => {
      const follow = () => setToken((known) => shownToken() || known);
      window.addEventListener('hashchange', follow);
      return () => window.removeEventListener('hashchange', follow);
    }, []);
    return <Page key={token} token={token} />;
  };
}

/** What follows the #, without what mail programs append to links; empty in a link without a token. */
function shownToken(): string {
  return /^#([\w-]+(?:\.[\w-]+)*)/.exec(window.location.hash)?.[1] ?? '';
}

/** Returns false when the link was not copied as a whole. */
export const isWholeToken = (token: string): boolean => /^[\w-]{43}$/.test(token);
