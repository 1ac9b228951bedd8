import { hash } from 'node:crypto';
import type { AgencyCase, AgencyResult, CaseAnswer, KnownAnswer } from '../domain/agency.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { readStatusReply } from './read-reply.ts';

/**
 * Raised whenever the same text is read differently than before: what was stored until then is not recognized. A test fails when
 * it is forgotten.
 */
export const READING = 1;

/**
 * Returns what the status endpoint's reply means. The text of the `known` answer is recognized, and read only when its facts are asked for:
 * nearly every scheduled check gets the same text again.
 */
export function readAnswer(
  reply: AgencyHttpResult,
  receiptNumber: string,
  linkHosts: readonly string[],
  known?: KnownAnswer,
): AgencyResult {
  const text = reply.kind === 'answer' && reply.status === 200 && reply.isUtf8 ? reply.body : undefined;
  const hashOf = (factsHash: string) =>
    hash('sha1', `${READING} ${linkHosts.join(' ')} ${factsHash}\n${text}`, 'base64');
  if (known && text !== undefined && hashOf(known.factsHash) === known.answerHash) {
    const { logged: sameAs, ...answer } = known;
    const facts = () => {
      const read = readStatusReply(reply, receiptNumber, linkHosts);
      if (read.kind !== 'case') throw new Error('an answer that was recognized cannot be read');
      return read.case;
    };
    return { kind: 'case', case: { ...answer, sameAs, facts } };
  }
  const read = readStatusReply(reply, receiptNumber, linkHosts);
  return read.kind === 'case' ? { kind: 'case', case: toCaseAnswer(read.case, hashOf) } : read;
}

/** The answer's hash holds that of its facts: where other facts have been stored since, by whatever process, the two do not match. */
function toCaseAnswer(facts: AgencyCase, hashOf: (factsHash: string) => string): CaseAnswer {
  const factsHash = hash('sha1', JSON.stringify(facts), 'base64');
  return { status: facts.status, factsHash, answerHash: hashOf(factsHash), facts: () => facts };
}
