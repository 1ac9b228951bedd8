import { LOG_VIEWS_MAX } from '@casewatch/contracts/limits';
import type { LogView } from '@casewatch/contracts/log-views';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { ADMIN, newUserId, startAdminLog } from './admin-log-fixture.ts';

const log = await forThisFile(startAdminLog());

const VIEWS = '/api/admin/logs/views';
type Given = Pick<LogView, 'name' | 'query'>;

function as(administratorId: string | undefined, adminRole: 'owner' | 'auditor' | 'survey-editor' = 'owner') {
  const call = (method: string, path: string, body?: unknown) =>
    log.call(method, path, {
      adminSession: ADMIN,
      adminRole,
      ...(administratorId === undefined ? {} : { administratorId }),
      ...(body === undefined ? {} : { body }),
    });
  const list = async () => (await (await call('GET', VIEWS)).json()) as LogView[];
  return {
    call,
    list,
    names: async () => (await list()).map(({ name }) => name),
    save: (...views: Given[]) => call('PUT', VIEWS, { views }),
  };
}
const view = (name: string, query = 'q=cause%3Aagency'): Given => ({ name, query });

test('an administrator has views of their own, by name, and no one else’s', async () => {
  const [grace, ada] = [as(newUserId()), as(newUserId())];
  const saved = await grace.save(view('Slow', 'q=ms%3A%3E2000'), view('Faults'));
  expect([saved.status, await saved.json()]).toMatchObject([
    200,
    [view('Faults'), view('Slow', 'q=ms%3A%3E2000')],
  ]);
  await ada.save(view('Faults', 'q=cause%3Aus'));
  expect(await ada.list()).toMatchObject([view('Faults', 'q=cause%3Aus')]);
  const [first] = await grace.list();
  expect((await ada.call('DELETE', `${VIEWS}/${first?.id}`)).status).toBe(404);
  expect((await grace.call('DELETE', `${VIEWS}/${first?.id}`)).status).toBe(200);
  expect((await grace.call('DELETE', `${VIEWS}/${first?.id}`)).status).toBe(404);
  expect([await grace.names(), await ada.names()]).toEqual([['Slow'], ['Faults']]);
});

test('a view replaces the one of its name; saving again, as from another window, changes nothing', async () => {
  const grace = as(newUserId());
  await grace.save(view('Faults'), view('Slow'));
  const [first] = await grace.list();
  await grace.save(view('Faults', 'q=code%3Atimeout'));
  await grace.save(view('Faults', 'a'), view('Faults', 'q=code%3Atimeout'));
  expect(await grace.list()).toEqual([
    { ...first, query: 'q=code%3Atimeout' },
    expect.objectContaining(view('Slow')),
  ]);
});

test('more views than the limit are refused as a whole, also from two windows at once', async () => {
  const grace = as(newUserId());
  const many = (count: number, first: string) =>
    Array.from({ length: count }, (_, nth) => view(`${first}${nth}`));
  expect((await grace.save(...many(LOG_VIEWS_MAX - 3, 'a'))).status).toBe(200);
  const answers = await Promise.all([grace.save(...many(2, 'b')), grace.save(...many(2, 'c'))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({
    code: 'LOG_VIEW_LIMIT',
    error: expect.stringContaining('50 views'),
  });
  expect(await grace.names()).toHaveLength(LOG_VIEWS_MAX - 1);
  expect((await grace.save(view('the last one'))).status).toBe(200);
  expect((await grace.save(view('one more'))).status).toBe(409);
  expect((await grace.save(view('a0', 'q=changed'))).status).toBe(200);
  expect(await grace.names()).toHaveLength(LOG_VIEWS_MAX);
});

test.each([
  ['no view', []],
  ['a name that is empty', [view('')]],
  ['a name that is too long', [view('x'.repeat(61))]],
  ['a query that is too long', [view('x', 'x'.repeat(2_001))]],
  ['more than the limit', Array.from({ length: LOG_VIEWS_MAX + 1 }, (_, nth) => view(`v${nth}`))],
])('%s is refused', async (_what, views) => {
  const grace = as(newUserId());
  expect((await grace.save(...views)).status).toBe(400);
  expect(await grace.list()).toEqual([]);
});

test('what PostgreSQL cannot store in a name or a query is replaced', async () => {
  const grace = as(newUserId());
  expect((await grace.save(view('a\0', 'q=\ud800'))).status).toBe(200);
  expect(await grace.list()).toMatchObject([view('a\ufffd', 'q=\ufffd')]);
});

test('the passcode, which belongs to no one, has no views here', async () => {
  const passcode = as(undefined);
  await as(newUserId()).save(view('Faults'));
  expect(await passcode.list()).toEqual([]);
  expect((await passcode.save(view('Faults'))).status).toBe(403);
  expect((await passcode.call('DELETE', `${VIEWS}/${newUserId()}`)).status).toBe(403);
});

test('an auditor has views, in which personal data of an earlier role is masked', async () => {
  const id = newUserId();
  await as(id).save(view('One case', 'q=receipt%3AWAC2400000001'));
  expect(await as(id, 'auditor').list()).toMatchObject([view('One case', 'q=receipt%3AWAC******0001')]);
  expect((await as(id, 'auditor').save(view('Faults'))).status).toBe(200);
  expect((await as(id, 'survey-editor').call('GET', VIEWS)).status).toBe(403);
});

test('the views of an administrator who is removed are deleted, and those of others stay', async () => {
  const [deleted, failed, ada] = [newUserId(), newUserId(), newUserId()];
  for (const id of [deleted, failed, ada]) await as(id).save(view('Faults'));
  await log.adminActed({ action: 'administrator.removed', subject: `administrator:${deleted}` });
  await log.adminActed({
    action: 'administrator.removed',
    subject: `administrator:${failed}`,
    success: false,
  });
  expect(await Promise.all([deleted, failed, ada].map((id) => as(id).names()))).toEqual([
    [],
    ['Faults'],
    ['Faults'],
  ]);
});
