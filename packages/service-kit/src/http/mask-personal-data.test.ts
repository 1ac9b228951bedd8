import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskPersonalData } from './mask-personal-data.ts';

test('fields about a user are withheld, and everything else stays', () => {
  const row = {
    id: 'c1',
    userId: 'u1',
    userFirstName: 'Maria',
    requestPayload: { name: 'Maria' },
    responsePayload: 'Dear Maria',
    durationMs: 12,
    success: true,
    statusCode: null,
    actor: 'Grace Hopper',
  };
  expect(maskPersonalData({ logs: [row], totalCount: 1 })).toEqual({
    logs: [{ ...row, userId: null, userFirstName: null, requestPayload: null, responsePayload: null }],
    totalCount: 1,
  });
});

test('a count of what users caused is no data of a user', () => {
  const causes = { user: 24, agency: 20, us: 4 };
  expect(maskPersonalData({ causes, user: { id: 'u1' }, userId: 7 })).toEqual({
    causes,
    user: null,
    userId: null,
  });
});

test.each(['EAC9999103403', 'eac9999103403', 'EAC-99-991-03403', 'EAC 9999 103 403'])(
  'the receipt number %j is masked wherever it stands',
  (number) => {
    const masked = maskPersonalData({ endpoint: `GET /x/${number}?y`, list: [number], [number]: 1 });
    expect(JSON.stringify(masked)).not.toContain(number);
    expect(JSON.stringify(masked).toUpperCase()).toContain('EAC******3403');
  },
);

test.each([
  'abc12345-6789-0123-8bcd-1234567890ab',
  '4bfabc1234567890a3ce929d0e0e4736',
  `abc${'1234567890'.repeat(6)}f`,
])('the id or hash %j stays as it is', (id) => {
  expect(maskPersonalData([id, `survey:${id}`])).toEqual([id, `survey:${id}`]);
});

test('an e-mail address is replaced, and the text around it stays', () => {
  expect(maskPersonalData('to maria@example.org, twice')).toBe('to (email address), twice');
});

test('no text, however it is nested, keeps a receipt number or an e-mail address', () => {
  const receipt = fc.stringMatching(/^[A-Z]{3}[0-9]{10}$/);
  const email = fc.emailAddress();
  fc.assert(
    fc.property(receipt, email, fc.string(), fc.jsonValue(), (number, address, noise, value) => {
      const answer = {
        noise: `${noise} ${number} ${noise}`,
        deep: [value, { note: `to ${address}, ${noise}` }],
      };
      const text = JSON.stringify(maskPersonalData(answer));
      expect(text).not.toContain(number);
      expect(text).not.toContain(address);
    }),
  );
});

test('a long text costs time in proportion to its length', () => {
  const long = 'aAA 1'.repeat(40_000);
  const startedAt = performance.now();
  maskPersonalData([long, 'a'.repeat(200_000), '@'.repeat(200_000)]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
