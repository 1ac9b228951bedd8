import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';

export const PASSCODE = 'open-for-fuzzing';
const created = z.object({ id: z.string() });
const invited = z.object({ link: z.string() });
const invitation = z.object({ secret: z.string() });
const RECEIPT = 'EAC9999103403';
const DEMO_PASSWORD = 'demo-demo-demo';
/** A user whose data is in the log and in the audit trail: nothing of it may reach an auditor. */
const PERSON = {
  email: 'someone.unmasked@canary.test',
  firstName: 'Xochitl',
  lastName: 'Quetzalcoatl',
  receiptNumber: 'LIN2290764312',
};
const AUDITOR = { email: 'thaddeus.auditor@canary.test', password: 'seven-orchard-lanterns' };

export type Role = 'free' | 'pro' | 'admin' | 'auditor';

/** Where the product that is fuzzed answers, and where the agency that it asks is moved. */
export interface Addresses {
  url: string;
  agencyPort: number;
}

/** Adds a survey that is asked at the first sign-in, saved cases, and a change of one. */
export async function fill(at: Addresses): Promise<void> {
  const admin = { cookie: `admin-sid=${await sessionOf(at, 'admin')}` };
  const survey = await post(at, '/api/admin/surveys', { title: 'How was it?', isActive: true }, admin);
  const { id: surveyId } = created.parse(await survey.json());
  const question = { surveyId, questionText: 'Well?', isRequired: false };
  await post(at, '/api/admin/survey-questions', question, admin);
  const free = { cookie: `sid=${await sessionOf(at, 'free')}` };
  await post(at, '/api/saved-cases', { receiptNumber: RECEIPT }, free);
  const pro = { cookie: `sid=${await sessionOf(at, 'pro')}` };
  await post(at, '/api/saved-cases', { receiptNumber: RECEIPT, monitoringFrequency: 'daily' }, pro);
  await untilNotified(at, pro);
}

/** Returns what of a user's data administrators find in the log and in the audit trail; waits until it is there. */
export async function fillPersonal(at: Addresses): Promise<readonly string[]> {
  const { receiptNumber, ...account } = PERSON;
  const signedUp = await post(at, '/api/auth/signup', { ...account, password: DEMO_PASSWORD });
  const looked = await fetch(`${at.url}/api/case-status/${receiptNumber}`, {
    headers: { cookie: `sid=${cookieOf(signedUp)}` },
  });
  if (!looked.ok) throw new Error(`the case was not found: ${await looked.text()}`);
  const headers = { cookie: `admin-sid=${await sessionOf(at, 'admin')}` };
  const made = await post(at, '/api/admin/administrators', { email: PERSON.email, role: 'auditor' }, headers);
  const { id } = created.parse(
    z.object({ administrator: z.unknown() }).parse(await made.json()).administrator,
  );
  await fetch(`${at.url}/api/admin/administrators/${id}`, {
    method: 'DELETE',
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  });
  const planted = [PERSON.email, PERSON.firstName, receiptNumber];
  const seen = async () => {
    const places = [`/api/admin/logs?receiptNumber=${receiptNumber}`, '/api/admin/audit'];
    const answers = await Promise.all(places.map((place) => fetch(at.url + place, { headers })));
    const text = (await Promise.all(answers.map((answer) => answer.text()))).join();
    return planted.every((one) => text.includes(one));
  };
  for (let tries = 0; !(await seen()); tries++) {
    if (tries > 600) throw new Error('the log does not show what was planted');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [...planted, PERSON.lastName];
}

async function untilNotified({ url, agencyPort }: Addresses, headers: Record<string, string>): Promise<void> {
  for (let moves = 0; moves < 600; moves++) {
    const answer = await fetch(`${url}/api/notifications`, { headers });
    if (z.array(z.unknown()).parse(await answer.json()).length > 0) return;
    const looked = await fetch(`${url}/api/case-status/${RECEIPT}`, { headers });
    if (!looked.ok) throw new Error(`the case was not found: ${await looked.text()}`);
    const moved = await fetch(`http://127.0.0.1:${agencyPort}/__control/cases/${RECEIPT}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: `Case Was Moved ${moves}` }),
    });
    if (!moved.ok) throw new Error(`the agency was not moved: ${await moved.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the change of the case produced no notification');
}

/** Returns a session of its own each time, as the value of its cookie. */
export async function sessionOf(at: Addresses, role: Role): Promise<string> {
  if (role === 'auditor') return auditorSession(at);
  return cookieOf(
    role === 'admin'
      ? await post(at, '/api/admin/login', { passcode: PASSCODE })
      : await post(at, '/api/auth/login', { email: `${role}@demo.test`, password: DEMO_PASSWORD }),
  );
}

/** Of a named administrator, who is invited and accepts. */
async function auditorSession(at: Addresses): Promise<string> {
  const headers = { cookie: `admin-sid=${await sessionOf(at, 'admin')}` };
  const made = await post(
    at,
    '/api/admin/administrators',
    { email: AUDITOR.email, role: 'auditor' },
    headers,
  );
  const token = new URL(invited.parse(await made.json()).link).hash.slice(1);
  const opened = await post(at, '/api/admin/invitations/open', { token });
  const { secret } = invitation.parse(await opened.json());
  const accepted = {
    token,
    name: 'Grace Hopper',
    password: AUDITOR.password,
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
  };
  return cookieOf(await post(at, '/api/admin/invitations/accept', accepted));
}

async function post(at: Addresses, place: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(at.url + place, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${place} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

function cookieOf(answer: Response): string {
  const [, value] = /=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  if (value === undefined) throw new Error(`${answer.url} opened no session`);
  return value;
}
