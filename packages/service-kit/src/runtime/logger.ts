import {
  type DestinationStream,
  type Logger as PinoLogger,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from 'pino';

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
    timestamp: stdTimeFunctions.isoTime,
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
