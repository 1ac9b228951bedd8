import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type OpenSpan, ROOT, type SpanSpec, type TraceIds, type Tracing } from './tracing.ts';

export interface OtlpTracingOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string;
  /** The share of new traces that is kept, 0 to 1. What belongs to a trace shares its fate. */
  ratio: number;
  resource: Resource;
  exportEveryMs: number;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;
/** Longest that a stop waits for an unavailable collector. */
const SEND_WITHIN_MS = 3_000;
const KINDS: Record<SpanSpec['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Traces over OTLP/HTTP. The active span follows its work through asynchronous calls. */
export function startOtlpTracing(options: OtlpTracingOptions): Tracing & { stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: options.resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${options.endpoint}/v1/traces`,
          timeoutMillis: SEND_WITHIN_MS,
        }),
        scheduledDelayMillis: options.exportEveryMs,
      }),
    ],
  });
  const tracer = provider.getTracer('casewatch');
  const underWay = new AsyncLocalStorage<Span>();

  function contextOf(parent: string | undefined): Context {
    if (parent === ROOT) return ROOT_CONTEXT;
    if (parent === undefined) {
      const span = underWay.getStore();
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
    }
    const remote = spanContextOf(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  }

  function start({ name, kind, parent, links = [], attributes = {} }: SpanSpec): Span {
    const linked = links.flatMap((link): Link[] => {
      const context = spanContextOf(link);
      return context ? [{ context }] : [];
    });
    return tracer.startSpan(
      name,
      { kind: KINDS[kind], attributes: { ...attributes }, links: linked },
      contextOf(parent),
    );
  }

  return {
    on: true,
    traceparent: () => {
      const span = underWay.getStore();
      return span && traceparentOf(span.spanContext());
    },
    ids: () => {
      const span = underWay.getStore();
      return span && idsOf(span.spanContext());
    },
    async inSpan(spec, work) {
      const span = start(spec);
      try {
        return await underWay.run(span, work);
      } catch (error) {
        markFailed(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    open: (spec): OpenSpan => {
      const span = start(spec);
      return {
        ids: idsOf(span.spanContext()),
        traceparent: traceparentOf(span.spanContext()),
        run: (work) => underWay.run(span, work),
        end({ name, attributes, failed = false } = {}) {
          if (name !== undefined) span.updateName(name);
          if (attributes) span.setAttributes({ ...attributes });
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    stop: () => provider.shutdown(),
  };
}

/** Records only the kind of an error: messages may hold personal data. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
}

function idsOf({ traceId, spanId }: SpanContext): TraceIds {
  return { trace_id: traceId, span_id: spanId };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true };
}
