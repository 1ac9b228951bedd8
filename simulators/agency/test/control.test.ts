import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type AgencyUnderTest, startAgency } from './start-agency.ts';

const EVEN = 'WAC2190000000';
const ODD = 'WAC2190000001';

async function figures(agency: AgencyUnderTest, query = ''): Promise<unknown> {
  return (await agency.control('GET', `/calls${query}`)).json();
}

describe('the control API', () => {
  it('is not there unless enabled, and cases stay as they are', async () => {
    await using agency = await startAgency({ control: false });
    const before = await agency.look(EVEN);
    expect((await agency.control('GET', '/calls')).status).toBe(404);
    expect((await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Denied' })).status).toBe(404);
    expect((await agency.control('DELETE', '')).status).toBe(404);
    expect(await agency.look(EVEN)).toEqual(before);
  });

  it('is not there for a page that reaches this machine under another name', async () => {
    await using agency = await startAgency();
    const status = await new Promise((resolve, reject) => {
      request(`${agency.url}/__control/calls`, { headers: { Host: 'rebound.example' } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it('takes commands as JSON only, which another site’s page can’t send', async () => {
    await using agency = await startAgency();
    const body = JSON.stringify({ advanceMs: 1 });
    const plain = await fetch(`${agency.url}/__control/clock`, { method: 'POST', body });
    expect(plain.status).toBe(415);
  });

  it.each([
    ['PUT', '/cases/EAC1', { status: 'Case Was Approved' }],
    ['PUT', `/cases/${EVEN}`, {}],
    ['PUT', `/cases/${EVEN}`, { status: 'Case Was Approved', date: '2026-02-30' }],
    ['PUT', '/faults', { mode: 'unheard-of' }],
    ['PUT', '/faults', { mode: 'html', count: 0 }],
    ['PUT', '/faults', { mode: 'html', endpoint: 'token', receiptNumber: EVEN }],
    ['PUT', '/limits', { callsPerSecond: -1 }],
    ['PUT', '/limits', { perSecond: 1 }],
    ['PUT', '/latency', { ms: 'long' }],
    ['POST', '/clock', { advanceMs: -1 }],
  ])('refuses %s %s %j and says why', async (method, path, body) => {
    await using agency = await startAgency();
    const answer = await agency.control(method, path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\S/) });
  });

  it('knows no other paths and methods', async () => {
    await using agency = await startAgency();
    expect((await agency.control('GET', '/nothing')).status).toBe(404);
    expect((await agency.control('DELETE', '/faults')).status).toBe(404);
    expect((await agency.control('DELETE', '/calls/more')).status).toBe(404);
  });
});

describe('moving a case', () => {
  it('shows the new status at once, the previous one in the history, and a new date', async () => {
    await using agency = await startAgency();
    const before = await agency.look('EAC9999103403');
    const moved = await agency.control('PUT', '/cases/EAC9999103403', { status: 'Card Was Mailed To Me' });
    expect(moved.status).toBe(200);
    const after = await agency.look('EAC9999103403');
    expect(await moved.json()).toEqual({ case_status: after, message: 'Query was successful!' });
    expect(after.current_case_status_text_en).toBe('Card Was Mailed To Me');
    expect(after.current_case_status_text_es).toBe('Se me envió la tarjeta por correo postal');
    expect(after.current_case_status_desc_en).toContain('On January 5, 2026, the card or document');
    expect(after.submittedDate).toBe(before.submittedDate);
    expect(after.modifiedDate).toBe('01-05-2026 10:00:00');
    expect(after.hist_case_status).toEqual([
      {
        date: '2023-09-05',
        completed_text_en: 'Case Was Approved',
        completed_text_es: 'El caso fue aprobado',
      },
      ...(before.hist_case_status ?? []),
    ]);
  });

  it('takes the date it is given', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Interview Was Scheduled', date: '2026-07-01' });
    expect((await agency.look(EVEN)).modifiedDate).toMatch(/^07-01-2026 /);
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Approved' });
    expect((await agency.look(EVEN)).hist_case_status?.[0]).toMatchObject({
      date: '2026-07-01',
      completed_text_en: 'Interview Was Scheduled',
    });
  });

  it('again to the same status adds nothing to the history', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Reopened' });
    const once = await agency.look(EVEN);
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Reopened' });
    expect(await agency.look(EVEN)).toEqual(once);
  });

  it('makes a number known that was not, and heals one whose answer was not JSON', async () => {
    await using agency = await startAgency();
    for (const number of [ODD, 'EAC9999103402']) {
      await agency.control('PUT', `/cases/${number}`, { status: 'Case Was Received' });
      expect((await agency.look(number)).current_case_status_text_en, number).toBe('Case Was Received');
    }
  });

  it('takes a title that no list has', async () => {
    await using agency = await startAgency();
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Beamed Up' });
    const found = await agency.look(EVEN);
    expect(found.current_case_status_text_en).toBe('Case Was Beamed Up');
    expect(found.current_case_status_desc_en).toContain('there was a change in your Form');
  });

  it('can be scripted ahead: each answer moves it on by one', async () => {
    await using agency = await startAgency();
    const titles = ['Case Was Received', 'Interview Was Scheduled', 'Case Was Approved'];
    const [status, ...next] = titles;
    await agency.control('PUT', `/cases/${EVEN}`, { status, next });
    const seen: string[] = [];
    for (let call = 0; call < 4; call += 1) seen.push((await agency.look(EVEN)).current_case_status_text_en);
    expect(seen).toEqual([...titles, 'Case Was Approved']);
  });
});

describe('the call counter', () => {
  it('counts status calls, all and by receipt number, and no others', async () => {
    await using agency = await startAgency();
    await agency.ask(EVEN);
    await agency.clock.advance(1_000);
    await agency.ask(EVEN);
    await agency.ask(ODD);
    expect(await figures(agency)).toEqual({ total: 3, maxInAnySecond: 2 });
    expect(await figures(agency, `?receiptNumber=${EVEN}`)).toEqual({ total: 2, maxInAnySecond: 1 });
    expect(await figures(agency, '?receiptNumber=LIN0000000000')).toEqual({ total: 0, maxInAnySecond: 0 });
  });

  it('finds the fullest second wherever it starts, refused calls included', async () => {
    await using agency = await startAgency({ callsPerSecond: 2 });
    for (const waitMs of [0, 700, 200, 99, 1, 400]) {
      await agency.clock.advance(waitMs);
      await agency.ask(EVEN);
    }
    // At 0, 700, 900, 999, 1000 and 1400 ms: the five from 700 on are within a second.
    expect(await figures(agency)).toEqual({ total: 6, maxInAnySecond: 5 });
  });

  it('starts anew when reset', async () => {
    await using agency = await startAgency();
    await agency.ask(EVEN);
    expect((await agency.control('DELETE', '/calls')).status).toBe(204);
    expect(await figures(agency)).toEqual({ total: 0, maxInAnySecond: 0 });
    await agency.ask(EVEN);
    expect(await figures(agency, `?receiptNumber=${EVEN}`)).toEqual({ total: 1, maxInAnySecond: 1 });
  });

  it('reports how many tokens were issued', async () => {
    await using agency = await startAgency();
    await agency.token();
    await agency.token();
    expect(await (await agency.control('GET', '')).json()).toMatchObject({ tokensIssued: 2 });
  });
});

describe('latency', () => {
  it('delays every answer of the agency by as much as it says', async () => {
    await using agency = await startAgency();
    const token = await agency.token();
    await agency.control('PUT', '/latency', { ms: 2_000 });
    let answered = false;
    const slow = agency.ask(EVEN, token).then((answer) => {
      answered = true;
      return answer.status;
    });
    await expect.poll(() => figures(agency)).toMatchObject({ total: 1 });
    await agency.clock.advance(1_999);
    await agency.control('GET', '');
    expect(answered).toBe(false);
    await agency.clock.advance(1);
    expect(await slow).toBe(200);
  });
});

describe('a full reset', () => {
  it('undoes moves, faults, limits, latency, the population and counts, and leaves tokens good', async () => {
    await using agency = await startAgency();
    const before = await agency.look(EVEN);
    await agency.control('PUT', `/cases/${EVEN}`, { status: 'Case Was Denied' });
    await agency.control('PUT', '/faults', { mode: 'unavailable' });
    await agency.control('PUT', '/limits', { callsPerSecond: 0 });
    await agency.control('PUT', '/latency', { ms: 60_000 });
    await agency.control('PUT', '/population', { population: 'sandbox' });
    expect((await agency.control('DELETE', '')).status).toBe(204);
    expect(await figures(agency)).toEqual({ total: 0, maxInAnySecond: 0 });
    expect(await agency.look(EVEN)).toEqual(before);
    expect(await (await agency.control('GET', '')).json()).toMatchObject({
      limits: { callsPerSecond: 1_000, callsPerDay: 1_000_000, openingHours: 'always' },
      latencyMs: 0,
      population: 'made-up',
      faults: [],
    });
  });

  it('sets a moved clock back and ends the tokens whose times are now meaningless', async () => {
    await using agency = await startAgency();
    await agency.control('POST', '/clock', { advanceMs: 86_400_000 });
    const token = await agency.token();
    await agency.control('DELETE', '');
    expect(await (await agency.control('GET', '')).json()).toMatchObject({ now: '2026-01-05T15:00:00.000Z' });
    expect((await agency.ask(EVEN, token)).status).toBe(401);
  });
});

describe('stopping', () => {
  it('frees the port and cuts calls that wait', async () => {
    const agency = await startAgency();
    const token = await agency.token();
    await agency.control('PUT', '/latency', { ms: 60_000 });
    const waiting = agency.ask(EVEN, token).then(
      () => 'answered',
      () => 'cut',
    );
    await expect.poll(() => figures(agency)).toMatchObject({ total: 1 });
    await agency.stop();
    expect(await waiting).toBe('cut');
    await using next = await startAgency({ port: agency.port });
    expect(next.port).toBe(agency.port);
  });
});

describe('the control API of a network of its own', () => {
  it('is open to every name when asked to be, and only then', async () => {
    const ask = (url: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${url}/__control/calls`, { headers: { Host: 'agency-simulator' } }, (res) => {
          res.resume();
          resolve(res.statusCode);
        })
          .on('error', reject)
          .end();
      });
    await using open = await startAgency({ control: 'anywhere' });
    expect(await ask(open.url)).toBe(200);
    await using local = await startAgency({ control: 'this-machine' });
    expect(await ask(local.url)).toBe(404);
  });
});
