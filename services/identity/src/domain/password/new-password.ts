import { invalidField } from '@casewatch/service-kit/errors/app-error';
import type { Account } from '../account/account.ts';

type Person = Pick<Account, 'email' | 'firstName' | 'lastName'>;

/** Words of this product that say as little as a name does (OWASP ASVS 6.1.2). */
const CONTEXT = ['casewatch', 'case', 'status', 'uscis', 'immigration', 'visa', 'green', 'card', 'greencard'];
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * Refuses a new password that guessing would try first (NIST SP 800-63B, 5.1.1.2): one of the 50,000 most common, in
 * whatever case, and one that has nothing but the person's name, e-mail address and words of this product in it.
 * @throws AppError VALIDATION that names `field`
 */
export async function refuseGuessablePassword(
  field: string,
  password: string,
  person: Person,
): Promise<void> {
  const text = simplified(password);
  // Loaded when it is first needed: 30 ms, and memory that a process without sign-ups does without.
  const { default: commonPasswords } = await import('fxa-common-password-list');
  if (commonPasswords.test(text) || isMadeOf(text, new Set(CONTEXT)))
    throw invalidField(field, 'password-common');
  if (isMadeOf(text, wordsOf(person))) throw invalidField(field, 'password-personal');
}

function simplified(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The words of the name and of the address before its @, and the whole address. */
function wordsOf({ email, firstName, lastName }: Person): Set<string> {
  const words = [email.replace(/@.*/, ''), firstName, lastName].flatMap((text) =>
    simplified(text).split(SEPARATORS),
  );
  const address = simplified(email).split(SEPARATORS).join('');
  return new Set([...words, address, ...CONTEXT]);
}

/** Whether the text, without what separates words, is a sequence of these words. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const letters = text.split(SEPARATORS).join('');
  if (letters === '') return false;
  const reachable = new Set([0]);
  for (let end = 1; end <= letters.length; end++) {
    for (const word of words) {
      if (reachable.has(end - word.length) && letters.endsWith(word, end)) reachable.add(end);
    }
  }
  return reachable.has(letters.length);
}
