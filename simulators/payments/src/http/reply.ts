/** What the server does with a call: an answer, none at all (`hold`), or a cut connection. */
export type Reply = Answer | 'hold' | 'reset';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: `${JSON.stringify(body, null, 2)}\n`,
  };
}

export function redirectAnswer(location: string): Answer {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}
