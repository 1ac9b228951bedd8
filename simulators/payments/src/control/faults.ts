/** What the control API can make go wrong with the API. `lost-answer`: done, but the connection is cut. */
export const FAULT_MODES = [
  'unavailable',
  'server-error',
  'rate-limited',
  'timeout',
  'reset',
  'lost-answer',
] as const;

export interface Fault {
  readonly mode: (typeof FAULT_MODES)[number];
  /** Only requests whose path begins with it. */
  readonly path: string;
  /** Only requests with this method; undefined: all. */
  readonly method: string | undefined;
}

export function createFaults() {
  let active: { fault: Fault; left: number } | undefined;
  return {
    /** Replaces the current fault; it lasts for `count` requests, or until it is changed. */
    set: (fault: Fault, count: number | undefined) => {
      active = { fault, left: count ?? Number.POSITIVE_INFINITY };
    },
    clear: () => {
      active = undefined;
    },
    /** Returns the fault that this request meets and counts it. */
    take: (method: string, path: string): Fault | undefined => {
      if (!active || !path.startsWith(active.fault.path)) return undefined;
      const { fault } = active;
      if (fault.method !== undefined && fault.method !== method) return undefined;
      active.left -= 1;
      if (active.left <= 0) active = undefined;
      return fault;
    },
  };
}

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

/** Keeps the newest 2,000 requests. */
export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  return {
    add: (request: LoggedRequest) => {
      requests.push(request);
      if (requests.length > 2 * REQUESTS_KEPT) requests = requests.slice(-REQUESTS_KEPT);
      return request;
    },
    all: (): readonly LoggedRequest[] => requests.slice(-REQUESTS_KEPT),
    clear: () => {
      requests = [];
    },
  };
}
