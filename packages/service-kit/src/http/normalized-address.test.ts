import { expect, test } from 'vitest';
import { normalizedAddress } from './normalized-address.ts';

test.each([
  ['Ana.Diaz@Example.ORG', 'ana.diaz@example.org'],
  [' ana@example.org ', 'ana@example.org'],
  ['ana+trial2@example.org', 'ana@example.org'],
  ['ana+a+b@example.org', 'ana@example.org'],
  ['+ana@example.org', '+ana@example.org'],
  ['++ana@example.org', '+@example.org'],
  ['ａｎａ@ｅxample.org', 'ana@example.org'],
  ['jose\u0301@example.org', 'jos\u00e9@example.org'],
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ['ana@example.org.', 'ana@example.org'],
  ['A.n.a.D.i.a.z+x@googlemail.com', 'anadiaz@gmail.com'],
  ['anadiaz@gmail.com', 'anadiaz@gmail.com'],
  ['...@gmail.com', '...@gmail.com'],
  ['a_n-a.diaz@pm.me', 'anadiaz@proton.me'],
  ['"a@b"@example.org', '"a@b"@example.org'],
  ['no address', 'no address'],
])('%s is the mailbox %s', (address, mailbox) => {
  expect(normalizedAddress(address)).toBe(mailbox);
});

test.each([
  ['ana.diaz@example.org', 'anadiaz@example.org'],
  ['ana-diaz@gmail.com', 'anadiaz@gmail.com'],
  ['ana@gmail.com', 'ana@gmail.com.example'],
  ['ana@example.org', 'ana@sub.example.org'],
])('%s and %s are two mailboxes', (one, other) => {
  expect(normalizedAddress(one)).not.toBe(normalizedAddress(other));
});
