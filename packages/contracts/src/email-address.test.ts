import { expect, test } from 'vitest';
import { asciiAddress, isEmailAddress } from './email-address.ts';
import { email } from './identity.ts';

test.each([
  'ada@example.org',
  'ana&luis@example.com',
  "o'brien@example.ie",
  'ada+immigration@example.org',
  'a.b-c_d=e@example.co.uk',
  '!#$%&*/?^`{|}~@example.org',
  // As addresses of Japanese phones are.
  'ada..lovelace.@docomo.example.jp',
  '1234567890@example.org',
  'ADA@EXAMPLE.ORG',
  'ada@123.example',
  'ada@a-1.b--2.example.museum',
  'ada@xn--bcher-kva.example',
  'ada@example.xn--p1ai',
  `${'a'.repeat(64)}@example.org`,
])('%s is an e-mail address', (address) => {
  expect(isEmailAddress(address)).toBe(true);
  expect(email.parse(` ${address} `)).toBe(address);
});

test.each([
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['ana@BÜCHER.example', 'ana@xn--bcher-kva.example'],
  ['ana@bu\u0308cher.example', 'ana@xn--bcher-kva.example'],
  ['ana&luis@españa.example', 'ana&luis@xn--espaa-rta.example'],
  ['ivan@почта.рф', 'ivan@xn--80a1acny.xn--p1ai'],
  ['mei@例え。テスト', 'mei@xn--r8jz45g.xn--zckzah'],
  ['omar@مثال.إختبار', 'omar@xn--mgbh0fb.xn--kgbechtv'],
  ['ana@ｅｘａｍｐｌｅ.org', 'ana@example.org'],
])('the domain of %s may be of any script', (typed, address) => {
  expect(asciiAddress(typed)).toBe(address);
  expect(email.parse(typed)).toBe(address);
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@example',
  'ada@example.',
  'ada@.example.org',
  'ada@example..org',
  'ada@-example.org',
  'ada@example-.org',
  'ada@127.0.0.1',
  'ada@１２７.0.0.1',
  'ada@[127.0.0.1]',
  'ada lovelace@example.org',
  'ada@exa mple.org',
  'ada@example.org, bob@example.org',
  'Ada <ada@example.org>',
  '"ada"@example.org',
  'ada@example.org\nbcc: bob@example.org',
  'ada@b@example.org',
  'adá@example.org',
  'ada@bücher.example:25',
  'ada@bücher.example/x',
  'ada@büch%65r.example',
  'ada@bücher',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a'.repeat(64)}.org`,
  `ada@${'ü'.repeat(64)}.org`,
  `ada@${'a.'.repeat(124)}org`,
])('%j is none', (text) => {
  expect(email.safeParse(text).error?.issues.map(({ message }) => message)).toEqual(['email-invalid']);
});
