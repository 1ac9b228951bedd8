import type { ServiceName } from '@casewatch/contracts/route-contract';

/** Name of the setting that says where a service listens: `admin-log` -> `ADMIN_LOG_URL`. */
export const urlSettingOf = (service: ServiceName): string =>
  `${service.replaceAll('-', '_').toUpperCase()}_URL`;
