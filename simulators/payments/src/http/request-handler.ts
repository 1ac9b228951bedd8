import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ControlFrom, mayControl } from '@casewatch/simulator-kit/control-api';
import { holdUntilStop, readBody } from '@casewatch/simulator-kit/requests';
import { answerControl, CONTROL_PREFIX } from '../control/control-api.ts';
import { answerPage } from '../pages/answer-page.ts';
import type { PaymentsState } from '../state.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { answerApi } from './api-request.ts';

/** The browser calls the API from other origins with a key in a header, never with cookies. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Request-Id',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const PREFLIGHT = {
  ...CROSS_ORIGIN,
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'authorization, content-type, stripe-version, idempotency-key',
  'Access-Control-Max-Age': '300',
};

export interface HandlerOptions {
  control: ControlFrom;
  stopping: AbortSignal;
  webhooks: WebhookSender;
  /** Called after every request that may have changed the state. */
  onChange(): void;
}

/** Routes calls to the API, the pages and scripts for browsers and, if enabled, the control API. */
export function createRequestHandler(state: PaymentsState, options: HandlerOptions): RequestListener {
  const { stopping } = options;
  return (req, res) => {
    serve(req, res).catch((error: unknown) => {
      // The caller has disconnected, or the simulator stops: there is no connection to answer on.
      if (stopping.aborted || req.destroyed || res.destroyed || res.headersSent) res.destroy();
      else send(res, failure(error));
    });
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const method = req.method ?? 'GET';
    const target = parseTarget(req.url ?? '/');
    if (!target) return send(res, refuse(400, 'Malformed address'));
    const { path, query } = target;
    const body = await readBody(req);
    if (body === undefined) return send(res, refuse(413, 'Request entity too large'));

    if (path.startsWith('/v1/')) {
      if (method === 'OPTIONS') return send(res, { status: 204, headers: PREFLIGHT, body: '' });
      const form = method === 'POST' ? body : query;
      const reply = answerApi(state, { method, path, form, headers: req.headers });
      if (method !== 'GET') options.onChange();
      if (reply === 'reset') req.socket.resetAndDestroy();
      else if (reply === 'hold') await holdUntilStop(res, stopping);
      else send(res, { ...reply, headers: { ...reply.headers, ...CROSS_ORIGIN } });
      return;
    }
    if (
      (path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)) &&
      mayControl(req, options.control)
    ) {
      const contentType = req.headers['content-type'];
      const rest = path.slice(CONTROL_PREFIX.length);
      const answer = answerControl(state, options.webhooks, { method, path: rest, contentType, body });
      options.onChange();
      return send(res, answer);
    }
    const page = answerPage(state, { method, path, query: new URLSearchParams(query), body });
    if (method !== 'GET') options.onChange();
    send(res, page);
  }
}

function parseTarget(url: string): { path: string; query: string } | undefined {
  const mark = url.indexOf('?');
  try {
    return {
      path: decodeURIComponent(mark < 0 ? url : url.slice(0, mark)),
      query: mark < 0 ? '' : url.slice(mark + 1),
    };
  } catch {
    return undefined;
  }
}

function refuse(status: number, message: string): Answer {
  return jsonAnswer(status, { error: { type: 'invalid_request_error', message } });
}

function failure(error: unknown): Answer {
  return jsonAnswer(500, {
    error: { type: 'api_error', message: error instanceof Error ? error.message : 'Internal error' },
  });
}

function send(res: ServerResponse, { status, headers, body }: Answer): void {
  if (status === 204) res.writeHead(204, headers).end();
  else res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
