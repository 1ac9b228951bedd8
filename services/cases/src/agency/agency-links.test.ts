import { expect, test } from 'vitest';
import { allowedLink } from './agency-links.ts';

const HOSTS = ['uscis.gov', 'tools.usps.com'];

test.each([
  'https://uscis.gov/',
  'https://www.uscis.gov/forms',
  'https://egov.uscis.gov/processing-times/',
  'https://EGOV.USCIS.GOV:443/x?y=1#z',
  'https://tools.usps.com/go',
])('%s is kept', (href) => {
  expect(allowedLink(href, HOSTS)).toBe(new URL(href).href);
});

test.each([
  ['another host', 'https://evil.example/'],
  ['a host that only ends alike', 'https://notuscis.gov/'],
  ['an agency name in front', 'https://www.uscis.gov.evil.example/'],
  ['a subdomain of a listed host is fine, its parent is not', 'https://usps.com/'],
  ['plain http', 'http://www.uscis.gov/'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['no scheme', '//www.uscis.gov/'],
  ['a relative address', '/forms'],
  ['a user name', 'https://www.uscis.gov@evil.example/'],
  ['a user name before an agency host', 'https://evil.example@www.uscis.gov/'],
  ['a password', 'https://a:b@www.uscis.gov/'],
  ['a port', 'https://www.uscis.gov:8443/'],
  ['a look-alike letter', 'https://www.usc\u0456s.gov/'],
  ['a full-width dot and look-alike', 'https://www\uFF0Eusc\u0131s.gov/'],
  ['a trailing dot', 'https://www.uscis.gov./'],
  ['a backslash', 'https://evil.example\\.uscis.gov/'],
  ['nothing', ''],
])('%s is not a link', (_name, href) => {
  expect(allowedLink(href, HOSTS)).toBeUndefined();
});

test('a tab or line break inside an address hides no other host', () => {
  expect(allowedLink('https://evil.exa\nmple/\twww.uscis.gov', HOSTS)).toBeUndefined();
});
