import { text } from 'node:stream/consumers';
import { listen } from '@casewatch/service-kit/http/http-server';

export interface Span {
  readonly process: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { key: string; value: Readonly<Record<string, unknown>> }[];
}

interface TracesBody {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'process'>[] }[];
  }[];
}

/** A collector that keeps what it is sent (OTLP over HTTP, JSON). */
export async function startOtlpReceiver() {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const server = await listen(
    async (req, res) => {
      const body = await text(req);
      bodies.push(body);
      if (req.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body)));
      res.setHeader('content-type', 'application/json').end('{}');
    },
    { host: '127.0.0.1', port: 0 },
  );

  return {
    url: server.url,
    spans: (): readonly Span[] => spans,
    /** Everything that was sent, as it came. */
    sent: () => bodies.join('\n'),
    stop: () => server.drain(),
  };
}

function spansOf({ resourceSpans }: TracesBody): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, process: name })));
  });
}

/** The span's name and those of its parents up to the root, as far as they were sent. */
export function lineOf(spans: readonly Span[], span: Span): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [span.name, ...lineOf(spans, parent)] : [span.name];
}

export const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
