import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  type OpenSpan,
  ROOT,
  type SpanSpec,
  TRACEPARENT_HEADER,
  type TraceIds,
  type Tracing,
} from './tracing.ts';

export interface OtlpTracingOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string;
  /** The share of new traces that is kept, 0 to 1. What belongs to a trace shares its fate. */
  ratio: number;
  resource: Resource;
  exportEveryMs: number;
}

const propagator = new W3CTraceContextPropagator();
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
  const contexts = new AsyncLocalStorageContextManager();

  function contextOf(parent: string | undefined): Context {
    if (parent === undefined) return contexts.active();
    return parent === ROOT ? ROOT_CONTEXT : remoteContextOf(parent);
  }

  function start({ name, kind, parent, links = [], attributes = {} }: SpanSpec): Span {
    const linked = links.flatMap((link): Link[] => {
      const context = trace.getSpanContext(remoteContextOf(link));
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
    traceparent: () => traceparentOf(contexts.active()),
    ids: () => {
      const context = trace.getSpanContext(contexts.active());
      return context && idsOf(context);
    },
    async inSpan(spec, work) {
      const span = start(spec);
      try {
        return await contexts.with(contextWith(span), work);
      } catch (error) {
        markFailed(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    open: (spec): OpenSpan => {
      const span = start(spec);
      const context = contextWith(span);
      return {
        ids: idsOf(span.spanContext()),
        traceparent: traceparentOf(context) ?? '',
        run: (work) => contexts.with(context, work),
        end({ name, attributes, failed = false } = {}) {
          // That of a stream ended when it opened.
          if (!span.isRecording()) return;
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

const contextWith = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

function traceparentOf(context: Context): string | undefined {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, defaultTextMapSetter);
  return headers[TRACEPARENT_HEADER];
}

/** Returns the context of another process's span; the root context when the `traceparent` is invalid. */
function remoteContextOf(traceparent: string): Context {
  return propagator.extract(ROOT_CONTEXT, { [TRACEPARENT_HEADER]: traceparent }, defaultTextMapGetter);
}
