import type { Logger } from './logger.ts';

export type TroubleLog = ReturnType<typeof createTroubleLog>;

export interface TroubleLogOptions {
  trouble: string;
  over: string;
  /** Whether another reason is said as well; unset: only the first. */
  everyReason?: boolean;
}

/** Says once that something does not work, with its reason, and once that it works again. */
export function createTroubleLog(logger: Logger, options: TroubleLogOptions) {
  let said: string | undefined;

  return {
    trouble(error: unknown): void {
      const reason = options.everyReason ? String(error) : '';
      logger[said === reason ? 'debug' : 'warn']({ err: error }, options.trouble);
      said = reason;
    },
    over(): void {
      if (said !== undefined) logger.info(options.over);
      said = undefined;
    },
  };
}
