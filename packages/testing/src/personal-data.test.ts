import { expect, test } from 'vitest';
import { findPersonalData } from './personal-data.ts';

test.each([
  ['e-mail address', '{"msg":"sent","to":"ada.byron+case@example.com"}'],
  ['receipt number', '{"msg":"looked up","path":"/api/case-status/EAC9999103403"}'],
  ['receipt number', '{"msg":"looked up","number":"eac-9999103403"}'],
  ['IP address', '{"msg":"limited","by":"203.0.113.7"}'],
  ['address of a client', '{"msg":"request","ip":"127.0.0.1"}'],
  ['token', '{"msg":"refused","token":"eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}'],
  ['token', '{"msg":"called","authorization":"Bearer 0123456789abcdef"}'],
  ['token', '{"msg":"called","key":"sk_test_0123456789"}'],
  ['cookie', '{"msg":"request","cookie":"session=abc"}'],
])('finds the %s in %s', (kind, line) => {
  expect(findPersonalData(`{"msg":"ready"}\n${line}\n`)).toEqual([{ kind, lines: [line] }]);
});

test('takes what a log line may hold', () => {
  const lines = [
    '{"level":30,"time":1763812800000,"name":"all","url":"http://127.0.0.1:41234","msg":"ready"}',
    '{"route":"/api/case-status/:receiptNumber","receiptNumber":"EAC*******403","requestId":"0190-abc"}',
    '{"cookie":"[redacted]","version":"26.10.0","msg":"request"}',
    '{"err":{"stack":"Error\\n at file:///app/node_modules/@casewatch/host/src/main.ts:1:2"}}',
  ];
  expect(findPersonalData(lines.join('\n'))).toEqual([]);
});
