import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

export type Logger = PinoLogger;

/** What must never reach a log line, wherever in the object it stands. */
const REDACTED = ['password', 'passcode', 'authorization', 'cookie', 'email', 'sid', 'token', 'access_token'];

/** JSON lines on standard output (or `destination`), one logger per process; services take a child with their name. */
export function createLogger(options: {
  level: string;
  name: string;
  destination?: DestinationStream;
  /** What every line says besides: the trace that it belongs to. */
  mixin?: (() => object) | undefined;
}): Logger {
  const paths = REDACTED.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  const settings = {
    level: options.level,
    base: { process: options.name },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths, censor: '[redacted]' },
    ...(options.mixin ? { mixin: options.mixin } : {}),
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
