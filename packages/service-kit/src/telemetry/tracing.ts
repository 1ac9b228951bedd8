/** How a unit of work is called in a trace. Never a path, a receipt number or anything about a person. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** `root` begins a trace, a W3C `traceparent` continues one; unset: a child of the active span. */
  readonly parent?: string | undefined;
  /** Traces that led to this work besides its parent's. */
  readonly links?: readonly string[];
  readonly attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Fields of a log line that name its trace. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface OpenSpan {
  readonly ids: TraceIds;
  /** W3C trace context of this span, to propagate. */
  readonly traceparent: string;
  /** What `work` starts, now or later, belongs to this span. */
  run<T>(work: () => T): T;
  end(result?: { name?: string; attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface Tracing {
  /** While false no span is ever opened; hot paths check it before they describe one. */
  readonly on: boolean;
  /** W3C trace context of the active span, to propagate. */
  traceparent(): string | undefined;
  ids(): TraceIds | undefined;
  /** Runs `work` in a span of its own that ends with it; one that throws is marked, without what was thrown. */
  inSpan<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T>;
  /** For work whose end only the caller knows. */
  open(spec: SpanSpec): OpenSpan;
}

export const ROOT = 'root';
export const TRACEPARENT_HEADER = 'traceparent';

/** Returns whether this W3C trace context is sampled: spans of others need not be described. */
export const isSampled = (traceparent: string | undefined): traceparent is string =>
  traceparent !== undefined && (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;

const noIds: TraceIds = { trace_id: '', span_id: '' };
const noSpan: OpenSpan = { ids: noIds, traceparent: '', run: (work) => work(), end: () => undefined };

/** Where traces go nowhere. */
export const noTracing: Tracing = {
  on: false,
  traceparent: () => undefined,
  ids: () => undefined,
  inSpan: (_spec, work) => work(),
  open: () => noSpan,
};
