const REQUESTS_KEPT = 2_000;

/** One request to the API as it arrived, and how it was answered. */
export interface LoggedRequest {
  id: string;
  method: string;
  path: string;
  /** The nested parameters; card numbers and security codes are masked. */
  params: unknown;
  idempotencyKey: string | null;
  apiVersion: string | null;
  /** 0 while unanswered or when the connection was cut. */
  status: number;
}

export interface RequestLog {
  /** The newest 2000 are kept. */
  add(request: LoggedRequest): LoggedRequest;
  all(): readonly LoggedRequest[];
  clear(): void;
}

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  return {
    add: (request) => {
      requests.push(request);
      if (requests.length > 2 * REQUESTS_KEPT) requests = requests.slice(-REQUESTS_KEPT);
      return request;
    },
    all: () => requests.slice(-REQUESTS_KEPT),
    clear: () => {
      requests = [];
    },
  };
}
