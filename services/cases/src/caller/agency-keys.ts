import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { CasesSettings } from '../config.ts';
import type { AgencyKey } from './key-tokens.ts';

const DAY_MS = 86_400_000;
/** A day begins on earth at most 14 hours before it does in GMT. */
const EARLIEST_DAY_MS = 14 * 3_600_000;

/**
 * Returns the sets of keys, the newer first. Checked here and not in the settings: all-in-one makes up keys for its simulator after
 * reading them.
 * @throws SettingsError
 */
export function readAgencyKeys(
  settings: Pick<
    SettingsOf<CasesSettings>,
    `AGENCY_${'' | 'NEXT_'}${'CLIENT_ID' | 'CLIENT_SECRET' | 'KEY_ISSUED'}` | 'AGENCY_KEY_DAYS'
  >,
  nowMs: number,
): [AgencyKey, ...AgencyKey[]] {
  const key = (name: AgencyKey['name'], prefix: '' | 'NEXT_') => {
    const issued = settings[`AGENCY_${prefix}KEY_ISSUED`];
    return {
      name,
      clientId: settings[`AGENCY_${prefix}CLIENT_ID`],
      clientSecret: settings[`AGENCY_${prefix}CLIENT_SECRET`],
      endsMs: issued === undefined ? undefined : Date.parse(issued) + settings.AGENCY_KEY_DAYS * DAY_MS,
    };
  };
  const [current, next] = [key('current', ''), key('next', 'NEXT_')];
  const hasNext = next.clientId !== '' || next.clientSecret !== '';
  const problems = [
    ...(['AGENCY_CLIENT_ID', 'AGENCY_CLIENT_SECRET'] as const).map(
      (name) => !settings[name] && `${name}: must be set`,
    ),
    ...(['AGENCY_NEXT_CLIENT_ID', 'AGENCY_NEXT_CLIENT_SECRET'] as const).map(
      (name) =>
        hasNext && !settings[name] && `${name}: must be set with the other half of the next keys, or neither`,
    ),
    hasNext &&
      next.clientId === current.clientId &&
      'AGENCY_NEXT_CLIENT_ID: is the same as AGENCY_CLIENT_ID; set it to the id of the newer keys, or unset the next keys',
    !hasNext &&
      next.endsMs !== undefined &&
      'AGENCY_NEXT_KEY_ISSUED: is set without AGENCY_NEXT_CLIENT_ID and AGENCY_NEXT_CLIENT_SECRET',
    current.endsMs !== undefined &&
      next.endsMs !== undefined &&
      next.endsMs < current.endsMs &&
      'AGENCY_NEXT_KEY_ISSUED: is before AGENCY_KEY_ISSUED; the next keys are the newer ones',
    ...(['AGENCY_KEY_ISSUED', 'AGENCY_NEXT_KEY_ISSUED'] as const).map(
      (name) =>
        Date.parse(settings[name] ?? '') > nowMs + EARLIEST_DAY_MS &&
        `${name}: is in the future; set the day on which the agency issued the keys`,
    ),
  ].filter((problem) => typeof problem === 'string');
  if (problems.length > 0) throw new SettingsError(problems);
  return hasNext ? [next, current] : [current];
}
