/** What the server does with a call: an answer, none at all (`hold`), one without end, or a cut connection. */
export type AgencyReply = AgencyAnswer | 'hold' | 'endless' | 'reset';

export interface AgencyAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The shapes in which the agency writes errors; `message` is the flat one without its code. `list` stands on one page of its
 * documentation and was never captured.
 */
export const ERROR_SHAPES = ['flat', 'message', 'nested', 'list'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

export function jsonReply(status: number, body: unknown): AgencyAnswer {
  return textReply(status, JSON.stringify(body));
}

/** Says it is JSON, whether or not it is. */
export function textReply(status: number, body: string): AgencyAnswer {
  return { status, contentType: 'application/json', body };
}

export function htmlReply(status: number, body: string): AgencyAnswer {
  return { status, contentType: 'text/html; charset=utf-8', body };
}

export function errorReply(status: number, message: string, shape: ErrorShape): AgencyAnswer {
  return jsonReply(status, errorBody(status, message, shape));
}

function errorBody(status: number, message: string, shape: ErrorShape): unknown {
  switch (shape) {
    case 'flat':
      return { code: status, message };
    case 'message':
      return { message };
    case 'nested':
      return { error: { code: String(status), message } };
    case 'list':
      return {
        errors: [
          {
            code: String(status),
            message,
            category: status >= 500 ? 'SYSTEM' : 'REQUEST',
            reference: 'https://developer.uscis.gov/',
            status: String(status),
            traceId: crypto.randomUUID(),
          },
        ],
      };
  }
}

const NOT_RECOGNIZED =
  'Case Status Online does not recognize this receipt number. Check it and try again, or call the Contact Center at 1-800-375-5283.';
const SANDBOX_CLOSED =
  'The Case Status API Sandbox is unavailable at this time: it is open M-F 7:00AM EST - 8:00 PM EST.';

/** The agency's usual errors, each in the shape it usually has unless a test asks for another. */
export const agencyErrors = {
  unauthorized: (shape: ErrorShape = 'flat') => errorReply(401, 'Invalid Access Token', shape),
  notRecognized: (shape: ErrorShape = 'message') => errorReply(404, NOT_RECOGNIZED, shape),
  refused: (shape: ErrorShape = 'message') =>
    errorReply(422, 'The receipt number is not formatted correctly: it should be 13 characters.', shape),
  spikeArrest: (shape: ErrorShape = 'message') => errorReply(429, 'Spike Arrest Violation', shape),
  quotaSpent: (shape: ErrorShape = 'message') => errorReply(429, 'Quota Limit Exceeded', shape),
  unavailable: (shape: ErrorShape = 'nested') =>
    afterBlankLines(errorReply(503, 'Service Unavailable', shape)),
  closed: () => afterBlankLines(errorReply(503, SANDBOX_CLOSED, 'nested')),
};

/** As a captured 503 begins. */
function afterBlankLines(answer: AgencyAnswer): AgencyAnswer {
  return { ...answer, body: `\n\n${answer.body}` };
}
