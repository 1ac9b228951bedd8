import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';

export type Logger = PinoLogger;

/** What must never reach a log line, wherever in the object it stands. */
const REDACTED = ['password', 'passcode', 'authorization', 'cookie', 'email', 'sid', 'token', 'access_token'];

/** Creates a logger of JSON lines on standard output (or `destination`), one logger per process; services take a child with their name. */
export function createLogger(options: {
  level: string;
  name: string;
  destination?: DestinationStream;
  /** Fields added to every line: its trace. */
  mixin?: (() => object) | undefined;
}): Logger {
  const paths = REDACTED.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  const settings = {
    level: options.level,
    base: { process: options.name },
    timestamp: createTimes(),
    redact: { paths, censor: '[redacted]' },
    serializers: { err: describeError },
    ...(options.mixin ? { mixin: options.mixin } : {}),
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** Leaves out the connection that node-postgres puts into its errors: four kilobytes a line that say nothing. */
function describeError(error: Error): object {
  const { client: _client, ...described } = stdSerializers.err(error);
  return described;
}

/** The time of a line as ISO 8601. All but the milliseconds is put together once a second: it costs as much as the rest. */
function createTimes(): () => string {
  let second = Number.NaN;
  let untilSecond = '';
  return () => {
    const nowMs = Date.now();
    const millisecond = nowMs % 1000;
    if (nowMs - millisecond !== second) {
      second = nowMs - millisecond;
      untilSecond = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${untilSecond}${String(millisecond).padStart(3, '0')}Z"`;
  };
}
