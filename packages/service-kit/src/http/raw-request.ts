import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, RouteContract } from '@casewatch/contracts/route-contract';
import { parseCookie } from 'cookie';
import express from 'express';
import { ADDRESS_HEADER, FAULT_HEADER, REQUEST_ID_HEADER } from './internal-headers.ts';
import type { RawRequest, RequestFacts } from './route.ts';

/** Returns a header as one text: Node joins repeated ones, all but a few. */
export function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Express's own, which reads nothing but the headers. */
const acceptedLanguages: (this: IncomingMessage) => string[] = express.request.acceptsLanguages;

/** Returns what a route reads of a request, independent of the caller. */
export function rawRequest(
  req: IncomingMessage,
  res: ServerResponse,
  contract: RouteContract,
  { params, query, body }: Pick<RawRequest, 'params' | 'query' | 'body'>,
): Omit<RawRequest, 'caller' | 'admin'> {
  return {
    params,
    query,
    body: contract.signedBody ? undefined : body,
    request: new HttpFacts(req, res, contract, body),
  };
}

/**
 * A class, as one is made for each request: V8 keeps what the getters of an object literal reach (the request, its answer)
 * until the next full collection.
 */
class HttpFacts implements RequestFacts {
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly lastEventId: string | undefined;
  readonly rawBody: Uint8Array | undefined;
  readonly signature: string | undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  constructor(req: IncomingMessage, res: ServerResponse, { signedBody }: RouteContract, body: unknown) {
    const { headers, socket } = req;
    this.#req = req;
    this.#res = res;
    this.requestId = textOf(headers[REQUEST_ID_HEADER]) ?? '';
    this.address = textOf(headers[ADDRESS_HEADER]) ?? socket.remoteAddress ?? '';
    this.userAgent = headers['user-agent'];
    this.lastEventId = textOf(headers['last-event-id']);
    // A request without a body has none to keep.
    this.rawBody = signedBody && Buffer.isBuffer(body) ? body : undefined;
    this.signature = signedBody && textOf(headers[signedBody.signatureHeader.toLowerCase()]);
  }

  get cookies(): RequestFacts['cookies'] {
    return parseCookie(this.#req.headers.cookie ?? '');
  }

  get languages(): () => readonly string[] {
    return () => acceptedLanguages.call(this.#req);
  }

  get signal(): AbortSignal {
    return abortOnClose(this.#res);
  }

  blame(fault: Fault): void {
    // A client that has left may have got an error meanwhile.
    if (!this.#res.headersSent) this.#res.setHeader(FAULT_HEADER, fault);
  }
}

function abortOnClose(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  return controller.signal;
}
