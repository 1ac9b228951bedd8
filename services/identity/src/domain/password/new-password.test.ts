import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseGuessablePassword } from './new-password.ts';

const ada = { email: 'ada.lovelace@example.org', firstName: 'Ada', lastName: 'King-Lovelace' };
const COMMON = 'This password is too common. Choose a longer or less predictable one.';
const PERSONAL = 'This password contains your name or email address. Choose one that is harder to guess.';

test.each([
  'password',
  '12345678',
  'qwertyuiop',
  'Password1',
  'ILOVEYOU1',
  'Green Card',
  'casewatch-casewatch',
  'ｐａｓｓｗｏｒｄ',
])('the common password %j is refused', async (password) => {
  await expect(refuseGuessablePassword('newPassword', password, ada)).rejects.toMatchObject({
    code: 'VALIDATION',
    message: COMMON,
    details: [{ path: 'newPassword', message: COMMON }],
  });
});

test.each([
  'ada.lovelace@example.org',
  'ADA.LOVELACE@EXAMPLE.ORG',
  'ada.lovelace',
  'lovelaceada',
  'Ada King-Lovelace',
  'adaadaadaada',
  'king_lovelace!',
  'ada-casewatch',
])('%j only repeats personal data, and is refused', async (password) => {
  await expect(refuseGuessablePassword('password', password, ada)).rejects.toMatchObject({
    details: [{ path: 'password', message: PERSONAL }],
  });
});

test.each([
  'correct horse battery',
  'my green card at last',
  'ada likes trains',
  'demo-demo-demo',
  'example.org',
  '8675309-and-more',
  '!?!?!?!?!?',
  'пароль-密码-🔑',
  '.........',
])('%j is fine', async (password) => {
  await refuseGuessablePassword('password', password, ada);
});

test.each(['SweetPea77', 'sweet-pea.77', 'sweetpea77@example.org'])(
  '%j only repeats an address that is unlike the name, and is refused',
  async (password) => {
    const person = { ...ada, email: 'sweetpea77@example.org' };
    await expect(refuseGuessablePassword('password', password, person)).rejects.toMatchObject({
      details: [{ path: 'password', message: PERSONAL }],
    });
  },
);

test('random passwords are fine, whatever the name is', async () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 12, maxLength: 40 }),
      words,
      words,
      async (bytes, firstName, lastName) => {
        const password = Buffer.from(bytes).toString('base64url');
        fc.pre(new Set(bytes).size > 8);
        await refuseGuessablePassword('password', password, { email: 'x@example.org', firstName, lastName });
      },
    ),
  );
});
