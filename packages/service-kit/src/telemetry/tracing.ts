/** How a unit of work is called in a trace. Never a path, a receipt number or anything about a person. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** `root` begins a trace, a W3C `traceparent` goes on with one; unset: a child of what is under way here. */
  readonly parent?: string | undefined;
  /** Traces that led to this work besides its parent's. */
  readonly links?: readonly string[];
  readonly attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** What a log line says of the trace that it belongs to. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface OpenSpan {
  readonly ids: TraceIds;
  /** W3C trace context of this span, to hand on. */
  readonly traceparent: string;
  /** What `work` starts, now or later, belongs to this span. */
  run<T>(work: () => T): T;
  end(result?: { name?: string; attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface Tracing {
  /** While false nothing is ever opened; hot paths look here before they describe a span. */
  readonly on: boolean;
  /** W3C trace context of what is under way here, to hand on. */
  traceparent(): string | undefined;
  ids(): TraceIds | undefined;
  /** Runs `work` in a span of its own that ends with it; one that throws is marked, without what was thrown. */
  inSpan<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T>;
  /** For work whose end only the caller knows. */
  open(spec: SpanSpec): OpenSpan;
}

export const ROOT = 'root';
export const TRACEPARENT_HEADER = 'traceparent';

/** Whether what is told of this W3C trace context is kept: what nobody keeps need not be described. */
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
