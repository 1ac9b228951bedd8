import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, startCases } from './cases-fixture.ts';

const ADA = { userId: '0b6a3c3e-52a4-4a6c-9b3c-6f9f0c1d2e3f', tier: 'free', name: 'Ada' } as const;
const ONE = 'EAC9999103403';
const TWO = 'EAC9999103404';

const cases = await forThisFile(startCases());

test.each(['Mom\u202e', 'M\u200bom', 'Mom\nand Dad', '\u2066Mom'])(
  'the nickname %j is refused for its invisible character',
  async (nickname) => {
    const error = 'Nickname has an invisible character. Please type it again without it.';
    expect(await errorOf(await cases.save(ONE, ADA, { nickname }))).toMatchObject({ status: 400, error });
  },
);

test('a nickname keeps emoji and the joiners of its script; one stored before stays readable', async () => {
  const nickname = '👨\u200d👩\u200d👧 نمی\u200cدانم ❤\ufe0f';
  expect((await cases.save(ONE, ADA, { nickname })).status).toBe(201);
  await cases.save(TWO, ADA, { nickname: 'Mom' });
  const old = 'Mom\u200b\nand Dad';
  await cases.database.query('UPDATE cases.saved_cases SET nickname = $1 WHERE receipt_number = $2', [
    old,
    TWO,
  ]);
  expect((await cases.saved(ADA)).map((saved) => saved.nickname).sort()).toEqual([nickname, old].sort());
});
