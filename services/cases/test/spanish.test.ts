import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SavedCase } from '@casewatch/contracts/cases';
import { caseObserved } from '@casewatch/contracts/events';
import { createMovedClock } from '@casewatch/testing/moved-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const DAY_MS = 86_400_000;

/** What the agency answers about every case, as a test changes it. */
let spanish: Record<string, unknown> = {};
let isClosed = false;
let server: Server;
const clock = createMovedClock();
let cases: CasesFixture;
let nth = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = path.startsWith('/oauth')
      ? { access_token: 't', expires_in: '1799' }
      : { case_status: answerAbout(path.split('/').at(-1)) };
    response
      .writeHead(isClosed ? 503 : 200, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  cases = await startCases({ clock, agencyUrl: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await cases.stop();
  server.close();
});

const answerAbout = (receiptNumber: string | undefined) => ({
  receiptNumber,
  formType: 'I-130',
  modifiedDate: '09-05-2023 14:28:46',
  current_case_status_text_en: 'Case Was Approved',
  current_case_status_desc_en: 'We sent <a href="https://my.uscis.gov/">a notice</a>.',
  current_case_status_text_es: spanish.title,
  current_case_status_desc_es: spanish.description,
  hist_case_status: [
    { date: '2023-01-05', completed_text_en: 'Case Was Received', completed_text_es: spanish.received },
  ],
});
const TEXTS = {
  title: 'El caso fue aprobado',
  description: 'Enviamos <a href="https://my.uscis.gov/">un aviso</a>.',
  received: 'El caso fue recibido',
};
const ANSWERED = {
  caseStatus: 'Case Was Approved',
  statusEs: TEXTS.title,
  descriptionEs: 'Enviamos un aviso.',
  descriptionLinksEs: [{ text: 'un aviso', href: 'https://my.uscis.gov/' }],
};
const newNumber = () => `EAC${String(++nth).padStart(10, '0')}`;
const historyOf = ({
  histCaseData,
}: {
  histCaseData: { caseStatus: string; textEs?: string | undefined }[];
}) => histCaseData.map(({ caseStatus, textEs }) => [caseStatus, textEs]);
const savedAs = async (number: string) =>
  (await cases.saved(PAT)).find(({ receiptNumber }) => receiptNumber === number);

test('a lookup answers with the agency’s Spanish, alone, among several, from the store, and when it is stale', async () => {
  const number = newNumber();
  spanish = TEXTS;
  const found = await cases.found(number, PAT);
  expect(found).toMatchObject(ANSWERED);
  expect(historyOf(found)).toEqual([
    ['Case Was Approved', TEXTS.title],
    ['Case Was Received', TEXTS.received],
  ]);
  expect(await cases.found(number, PAT)).toEqual(found);
  expect((await cases.bulk([number]))[0]?.data).toEqual(found);
  clock.move(DAY_MS);
  isClosed = true;
  const { stale, ...old } = await cases.found(number, PAT);
  isClosed = false;
  expect(stale).toMatchObject({ code: 'AGENCY_UNAVAILABLE' });
  expect(old).toEqual(found);
});

test('a saved case has the Spanish of its status in every answer, whether it is saved before or after a lookup', async () => {
  spanish = TEXTS;
  const [before, after] = [newNumber(), newNumber()];
  const first = (await (await cases.save(before, PAT)).json()) as SavedCase;
  expect(first).not.toHaveProperty('statusEs');
  for (const number of [before, after]) await cases.found(number, PAT);
  const second = (await (await cases.save(after, PAT)).json()) as SavedCase;
  expect(second).toMatchObject({ lastKnownStatus: 'Case Was Approved', statusEs: TEXTS.title });
  expect(await savedAs(before)).toMatchObject({ statusEs: TEXTS.title });
  const changed = await cases.change(before, { nickname: 'Mum' }, PAT);
  expect(await changed.json()).toMatchObject({ nickname: 'Mum', statusEs: TEXTS.title });
  const page = await cases.call('GET', `/api/saved-cases/page?search=${after}`, { as: PAT });
  expect(await page.json()).toMatchObject({ cases: [{ statusEs: TEXTS.title }] });
});

test('an agency without Spanish texts leaves them out, and those of an older answer are not shown for it', async () => {
  const number = newNumber();
  spanish = TEXTS;
  await cases.save(number, PAT);
  await cases.found(number, PAT);
  spanish = {};
  clock.move(DAY_MS);
  const found = await cases.found(number, PAT);
  for (const name of ['statusEs', 'descriptionEs', 'descriptionLinksEs'])
    expect(found).not.toHaveProperty(name);
  expect(await savedAs(number)).not.toHaveProperty('statusEs');
  expect(historyOf(found), 'an entry keeps the translation that it had').toEqual([
    ['Case Was Approved', TEXTS.title],
    ['Case Was Received', TEXTS.received],
  ]);
});

test('another Spanish text is shown, and is no change of the status', async () => {
  const number = newNumber();
  spanish = TEXTS;
  await cases.save(number, PAT);
  const before = await cases.found(number, PAT);
  const savedBefore = await savedAs(number);
  await cases.forgetPublished();
  spanish = { ...TEXTS, title: 'Se aprobó el caso', received: 'Se recibió el caso' };
  clock.move(DAY_MS);
  const after = await cases.found(number, PAT);
  expect(after).toMatchObject({ ...ANSWERED, statusEs: 'Se aprobó el caso' });
  expect(historyOf(after)).toEqual([
    ['Case Was Approved', 'Se aprobó el caso'],
    ['Case Was Received', 'Se recibió el caso'],
  ]);
  const withoutSpanish = ({ textEs: _textEs, ...entry }: (typeof after.histCaseData)[number]) => entry;
  expect(after.histCaseData.map(withoutSpanish)).toEqual(before.histCaseData.map(withoutSpanish));
  expect(await cases.eventsOf(caseObserved)).toMatchObject([{ status: 'Case Was Approved' }]);
  expect(await savedAs(number)).toMatchObject({
    statusEs: 'Se aprobó el caso',
    statusChangedAt: savedBefore?.statusChangedAt,
  });
});

test('what was stored before has no Spanish, and gets it with the next answer', async () => {
  const number = newNumber();
  spanish = {};
  await cases.save(number, PAT);
  const old = await cases.found(number, PAT);
  expect(old).not.toHaveProperty('statusEs');
  const seen = `SELECT last_observed_at FROM cases.observations WHERE receipt_number = $1 AND source = 'agency-history'`;
  const before = await cases.database.query(seen, [number]);
  spanish = TEXTS;
  clock.move(DAY_MS);
  expect(historyOf(await cases.found(number, PAT))).toEqual([
    ['Case Was Approved', TEXTS.title],
    ['Case Was Received', TEXTS.received],
  ]);
  expect(await cases.database.query(seen, [number]), 'a translation is no observation').toEqual(before);
});
