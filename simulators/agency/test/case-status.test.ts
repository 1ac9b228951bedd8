import { describe, expect, it } from 'vitest';
import { ALSO_KNOWN, NOT_JSON, WITH_HISTORY, WITHOUT_HISTORY } from '../src/case-store.ts';
import { startAgency } from './start-agency.ts';

describe('a sandbox receipt', () => {
  it('EAC9999103403 answers as the agency documents it', async () => {
    await using agency = await startAgency();
    const answer = await agency.ask('EAC9999103403');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      case_status: {
        receiptNumber: 'EAC9999103403',
        formType: 'I-130',
        submittedDate: '09-05-2023 14:28:46',
        modifiedDate: '09-05-2023 14:28:46',
        current_case_status_text_en: 'Case Was Approved',
        current_case_status_desc_en: expect.stringContaining(
          'On September 5, 2023, we approved your Form I-130',
        ),
        current_case_status_text_es: 'El caso fue aprobado',
        current_case_status_desc_es: expect.stringContaining('El 5 de septiembre de 2023'),
        hist_case_status: [
          {
            date: '2023-09-05',
            completed_text_en: 'Case Was Received',
            completed_text_es: 'El caso fue recibido',
          },
        ],
      },
      message: 'Query was successful!',
    });
  });

  it('with history lists earlier statuses, newest first', async () => {
    await using agency = await startAgency();
    for (const number of WITH_HISTORY) {
      const { hist_case_status: history } = await agency.look(number);
      expect(history?.length, number).toBeGreaterThan(0);
      const days = history?.map(({ date }) => date) ?? [];
      expect(days, number).toEqual(days.toSorted().reverse());
    }
  });

  it('without history says null, never an empty list, where its answer is JSON', async () => {
    await using agency = await startAgency();
    for (const number of WITHOUT_HISTORY.filter((candidate) => !NOT_JSON.includes(candidate))) {
      expect((await agency.look(number)).hist_case_status, number).toBeNull();
    }
  });

  it('of the broken ones answers 200 with a body that is not JSON', async () => {
    await using agency = await startAgency();
    expect(NOT_JSON.length).toBeGreaterThan(5);
    for (const number of NOT_JSON) {
      const answer = await agency.ask(number);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text).toContain(number);
      expect(() => JSON.parse(text), number).toThrow(SyntaxError);
    }
  });
});

describe('with the population of the sandbox', () => {
  it('its receipt numbers have a case, odd forms included, and no other one has', async () => {
    await using agency = await startAgency({ population: 'sandbox' });
    for (const number of [...WITH_HISTORY, ...WITHOUT_HISTORY, ...ALSO_KNOWN]) {
      expect((await agency.ask(number)).status, number).toBe(200);
    }
    expect((await agency.look('YSC0000000001')).formType).toBe('I-140G');
    expect((await agency.look('IOE9999999999')).formType).toBe('OS155A');
    for (const number of ['WAC2190000000', 'ZZZ0000000002', 'EAC9999103430', 'EAC*123456780']) {
      expect((await agency.ask(number)).status, number).toBe(404);
    }
    await agency.control('PUT', '/population', { population: 'made-up' });
    expect((await agency.ask('WAC2190000000')).status).toBe(200);
  });

  it('a case that a test has moved is known, too', async () => {
    await using agency = await startAgency({ population: 'sandbox' });
    await agency.control('PUT', '/cases/WAC2190000000', { status: 'Case Was Approved' });
    expect(await agency.look('WAC2190000000')).toMatchObject({
      current_case_status_text_en: 'Case Was Approved',
    });
  });
});

describe('any other receipt number', () => {
  it('that ends in an even digit has a case that is the same in every simulator at every time', async () => {
    await using one = await startAgency();
    await using other = await startAgency();
    await other.clock.advance(86_400_000);
    for (const number of ['WAC2190000000', 'MSC2490012348', 'ZZZ0000000002']) {
      expect(await other.look(number)).toEqual(await one.look(number));
    }
  });

  it('that ends in an odd digit is not recognized', async () => {
    await using agency = await startAgency();
    const answer = await agency.ask('WAC2190000001');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: expect.stringContaining('does not recognize') });
  });

  it.each(['EAC123', 'eac9999103403', 'EACX999103403', 'EAC99991034030', 'EAC**12345678', 'a/b'])(
    'that is malformed (%s) is refused with 422',
    async (number) => {
      await using agency = await startAgency();
      const answer = await agency.ask(number);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toEqual({ message: expect.stringContaining('13 characters') });
    },
  );

  it('may carry an asterisk in place of its first digit', async () => {
    await using agency = await startAgency();
    expect((await agency.look('EAC*123456780')).receiptNumber).toBe('EAC*123456780');
    expect((await agency.ask('EAC%2A123456780')).status).toBe(200);
  });

  it('that starts with IOE comes without dates', async () => {
    await using agency = await startAgency();
    const online = await agency.look('IOE0912345678');
    expect(online).not.toHaveProperty('submittedDate');
    expect(online).not.toHaveProperty('modifiedDate');
    const onPaper = await agency.look('LIN2190012346');
    expect(onPaper.submittedDate).toMatch(/^\d\d-\d\d-20\d\d \d\d:\d\d:\d\d$/);
    expect(onPaper.modifiedDate).toMatch(/^\d\d-\d\d-20\d\d \d\d:\d\d:\d\d$/);
  });

  it('shows, among many, both ways to write a form, many titles, and a history or null', async () => {
    await using agency = await startAgency();
    const numbers = Array.from(
      { length: 120 },
      (_, index) => `SRC24900${String(index * 2).padStart(5, '0')}`,
    );
    const cases = await Promise.all(numbers.map((number) => agency.look(number)));
    expect(cases.some(({ formType }) => formType.includes('-'))).toBe(true);
    expect(cases.some(({ formType }) => !formType.includes('-'))).toBe(true);
    expect(new Set(cases.map((found) => found.current_case_status_text_en)).size).toBeGreaterThan(10);
    expect(cases.some(({ hist_case_status: history }) => history === null)).toBe(true);
    expect(cases.some(({ hist_case_status: history }) => history !== null)).toBe(true);
    for (const found of cases) {
      expect(found.hist_case_status).not.toEqual([]);
      for (const text of [found.current_case_status_desc_en, found.current_case_status_desc_es]) {
        expect(text).toMatch(/<a href="https:\/\/[^"]+" target="_blank">[^<]+<\/a>/);
        expect(text).not.toMatch(/[{}]/);
        expect(text).toContain(found.receiptNumber);
      }
    }
  });
});

describe('other addresses', () => {
  it('are not found, wrong methods are not allowed, malformed ones are refused', async () => {
    await using agency = await startAgency();
    expect((await fetch(`${agency.url}/`)).status).toBe(404);
    expect((await fetch(`${agency.url}/case-status`)).status).toBe(404);
    expect((await fetch(`${agency.url}/case-status/EAC9999103403`, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${agency.url}/case-status/%E0%A4%A`)).status).toBe(400);
  });
});
