import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AgencyRoad {
  url: string;
  stop(): Promise<void>;
}

/**
 * A proxy to the agency that can delay status calls: the `nth` one, from 0, continues when `holdUp` resolves.
 * What else passes does so at once.
 */
export async function startAgencyRoad(
  agencyUrl: string,
  holdUp: (nth: number) => Promise<void>,
): Promise<AgencyRoad> {
  let calls = 0;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (req.url?.startsWith('/case-status/')) await holdUp(calls++);
    const { authorization, 'content-type': contentType } = req.headers;
    const answer = await fetch(agencyUrl + req.url, {
      method: req.method ?? 'GET',
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(contentType ? { 'content-type': contentType } : {}),
      },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const type = answer.headers.get('content-type') ?? 'text/plain';
    res.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
