import type { ServiceName } from '@casewatch/contracts/route-contract';
import { z } from 'zod';

/** The settings a part of the product reads: environment name -> schema with a description. */
export type SettingsShape = Record<string, z.ZodType>;
export type SettingsOf<S extends SettingsShape> = { [K in keyof S]: z.output<S[K]> };

export interface SettingMeta {
  description: string;
  /** Never printed, never logged. */
  secret?: boolean;
}

/** Attaches what the generated settings page and the logger need to know. */
export function setting<S extends z.ZodType>(schema: S, meta: SettingMeta): S {
  return schema.meta({ ...meta }) as S;
}

/** Parses environment texts as numbers, `why` being the reason of the minimum; `""` counts as unset, so that an empty line in `.env` means the default. */
export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER, why = '') =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(minimum, why === '' ? undefined : `must be at least ${minimum}: ${why}`)
    .max(maximum);
export const positive = () => z.coerce.number('must be a number').positive('must be above 0');
export const flag = () =>
  z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((value) => value === 'true' || value === '1');

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`These settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the named settings from the environment.
 * @throws SettingsError listing every problem at once, by name, without the value of a secret.
 */
export function readSettings<S extends SettingsShape>(shape: S, env: NodeJS.ProcessEnv): SettingsOf<S> {
  const given = Object.fromEntries(
    Object.keys(shape).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  );
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data as SettingsOf<S>;
  throw new SettingsError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

/** Returns the name of the setting that says where a service listens: `admin-log` -> `ADMIN_LOG_URL`. */
export const urlSettingOf = (service: ServiceName): string =>
  `${service.replaceAll('-', '_').toUpperCase()}_URL`;
