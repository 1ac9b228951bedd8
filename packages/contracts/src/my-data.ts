import { NDJSON_FILE } from './download-headers.ts';
import { defineRoute, type ServiceName } from './route-contract.ts';

/** One line of a service's answer. */
export interface PersonalRow {
  table: string;
  row: Readonly<Record<string, unknown>>;
}

/** Each service answers for what it holds; the browser makes one file of all of them. */
function myData<const Id extends string, const Service extends ServiceName>(id: Id, service: Service) {
  return defineRoute({
    ...NDJSON_FILE,
    id,
    service,
    method: 'GET',
    path: `/api/my-data/${service}`,
    access: 'user',
    summary: `All that ${service} holds about the signed-in user, one JSON object a line`,
    description:
      'Each line is `{ "table": string, "row": object }`, table after table. Passwords, tokens and other secrets are left out. An answer that breaks off is not complete.',
  });
}

export const downloadMyIdentityData = myData('downloadMyIdentityData', 'identity');
export const downloadMyCasesData = myData('downloadMyCasesData', 'cases');
export const downloadMyMonitoringData = myData('downloadMyMonitoringData', 'monitoring');
export const downloadMyNotificationsData = myData('downloadMyNotificationsData', 'notifications');
export const downloadMyBillingData = myData('downloadMyBillingData', 'billing');
export const downloadMySurveysData = myData('downloadMySurveysData', 'surveys');
export const downloadMyAdminLogData = myData('downloadMyAdminLogData', 'admin-log');
