import type * as myData from '@casewatch/contracts/my-data';
import type { Endpoint } from './call-api.ts';

export const downloadMyIdentityData: Endpoint<typeof myData.downloadMyIdentityData> = {
  method: 'GET',
  path: '/api/my-data/identity',
};
export const downloadMyCasesData: Endpoint<typeof myData.downloadMyCasesData> = {
  method: 'GET',
  path: '/api/my-data/cases',
};
export const downloadMyMonitoringData: Endpoint<typeof myData.downloadMyMonitoringData> = {
  method: 'GET',
  path: '/api/my-data/monitoring',
};
export const downloadMyNotificationsData: Endpoint<typeof myData.downloadMyNotificationsData> = {
  method: 'GET',
  path: '/api/my-data/notifications',
};
export const downloadMyBillingData: Endpoint<typeof myData.downloadMyBillingData> = {
  method: 'GET',
  path: '/api/my-data/billing',
};
export const downloadMySurveysData: Endpoint<typeof myData.downloadMySurveysData> = {
  method: 'GET',
  path: '/api/my-data/surveys',
};
export const downloadMyAdminLogData: Endpoint<typeof myData.downloadMyAdminLogData> = {
  method: 'GET',
  path: '/api/my-data/admin-log',
};
