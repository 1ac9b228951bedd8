import { expect, test, vi } from 'vitest';
import { openSite } from './open-site.ts';
import { isWebAddress, parseUrl } from './web-address.ts';

test.each(['https://pay.example/session?x=1', 'http://127.0.0.1:8080/'])(
  '%s is the address of a web page',
  (text) => {
    expect(isWebAddress(text)).toBe(true);
  },
);

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'blob:https://a.example/1',
  '//a.example',
  '/profile',
  '#x',
  '',
])('%j is none, and no tab is led there', (text) => {
  const assign = vi.fn();
  expect(isWebAddress(text)).toBe(false);
  expect(() => openSite(text, { location: { assign } })).toThrow('not the address');
  expect(assign).not.toHaveBeenCalled();
});

test('what can not be parsed is undefined, with the API of the oldest browsers', () => {
  expect(parseUrl('https://')).toBeUndefined();
  expect(parseUrl('/profile')).toBeUndefined();
  expect(parseUrl('/profile', 'https://a.example')?.href).toBe('https://a.example/profile');
});
