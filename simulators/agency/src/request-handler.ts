import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ControlFrom, mayControl } from '@casewatch/simulator-kit/control-api';
import { holdUntilStop, readBody } from '@casewatch/simulator-kit/requests';
import { type AgencyAnswer, type AgencyReply, errorReply } from './agency-reply.ts';
import type { AgencyState } from './agency-state.ts';
import { answerControl, CONTROL_PREFIX } from './control-api.ts';
import { answerStatus, answerToken } from './endpoints.ts';
import { endlessBody } from './hostile-reply.ts';

const TOKEN_PATH = '/oauth/accesstoken';
const STATUS_PREFIX = '/case-status/';

/** Routes calls to the agency's two endpoints and, from where `control` allows it, to the control API. */
export function createRequestHandler(
  state: AgencyState,
  { control, stopping }: { control: ControlFrom; stopping: AbortSignal },
): RequestListener {
  return (req, res) => {
    serve(req, res).catch((error: unknown) => {
      // The caller has disconnected, or the simulator stops: there is no connection to answer on.
      if (stopping.aborted || req.destroyed || res.destroyed) res.destroy();
      else send(res, errorReply(500, error instanceof Error ? error.message : 'Internal Error', 'flat'));
    });
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = parseTarget(req.url ?? '/');
    if (!target) return send(res, errorReply(400, 'Malformed address', 'flat'));
    const { path, query } = target;
    const body = await readBody(req);
    if (body === undefined) return send(res, errorReply(413, 'Request Entity Too Large', 'flat'));

    if ((path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)) && mayControl(req, control)) {
      const contentType = req.headers['content-type'];
      const rest = path.slice(CONTROL_PREFIX.length);
      return send(
        res,
        answerControl(state, { method: req.method ?? 'GET', path: rest, query, contentType, body }),
      );
    }
    const reply = await agencyReply(req, path, body);
    if (reply === 'reset') req.socket.resetAndDestroy();
    else if (reply === 'hold') await holdUntilStop(res, stopping);
    else if (reply === 'endless') await sendEndless(res);
    else send(res, reply);
  }

  async function sendEndless(res: ServerResponse): Promise<void> {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    await pipeline(endlessBody(), res, { signal: stopping });
  }

  async function agencyReply(req: IncomingMessage, path: string, body: string): Promise<AgencyReply> {
    const sleep = (ms: number) => (ms > 0 ? state.clock.sleep(ms, stopping) : Promise.resolve());
    const isToken = path === TOKEN_PATH;
    const receiptNumber = path.startsWith(STATUS_PREFIX) ? path.slice(STATUS_PREFIX.length) : undefined;
    if (!isToken && receiptNumber === undefined) return errorReply(404, 'Not Found', 'flat');
    if (req.method !== (isToken ? 'POST' : 'GET')) return errorReply(405, 'Method Not Allowed', 'flat');
    const latencyMs = state.latencyMs;
    const reply =
      receiptNumber === undefined
        ? await answerToken(state, req.headers['content-type'], body, sleep)
        : await answerStatus(state, receiptNumber, req.headers.authorization, sleep);
    await sleep(latencyMs);
    return reply;
  }
}

function parseTarget(url: string): { path: string; query: URLSearchParams } | undefined {
  const [path = '/', query = ''] = url.split('?', 2);
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(query) };
  } catch {
    return undefined;
  }
}

function send(res: ServerResponse, reply: AgencyAnswer): void {
  if (reply.status === 204) {
    res.writeHead(204).end();
    return;
  }
  const length = Buffer.byteLength(reply.body);
  const headers = { ...reply.headers, 'Content-Type': reply.contentType, 'Content-Length': length };
  res.writeHead(reply.status, headers).end(reply.body);
}
