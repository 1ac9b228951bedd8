import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { type Mutation, mutatedBy } from '@casewatch/testing/mutation';
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
/** Beyond anything a run sends: what limits do has tests of its own, and they would hide everything else here. */
const NO_LIMIT = '1000000';

export type FuzzedProduct = Awaited<ReturnType<typeof startFuzzedProduct>>;

/** What `npm start` starts, with a database of its own, limits that no run reaches, and data to find in it. */
export async function startFuzzedProduct(mutations: readonly Mutation[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-fuzz-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const agency = { port: await freePort() };
  const { process: product, ready } = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...mutatedBy(mutations),
      SERVICES: 'all',
      PORT: new URL(url).port,
      PUBLIC_URL: url,
      DATA_DIR: folder,
      ADMIN_PASSCODE: PASSCODE,
      LOG_LEVEL: 'warn',
      LOG_FILE: path.join(folder, 'casewatch.log'),
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_USER_PER_MINUTE: NO_LIMIT,
      SIGN_IN_TRIES_PER_ACCOUNT: NO_LIMIT,
      SIGN_IN_TRIES_PER_ADDRESS: NO_LIMIT,
      SIGN_UPS_PER_ADDRESS: NO_LIMIT,
      ACCOUNT_MAILS: 'true',
      ACCOUNT_MAILS_PER_ADDRESS: NO_LIMIT,
      ACCOUNT_MAILS_PER_ACCOUNT: NO_LIMIT,
      ACCOUNT_MAILS_PER_NETWORK: NO_LIMIT,
      ADMIN_TRIES_PER_ADDRESS: NO_LIMIT,
      ADMIN_TRIES_OVERALL: NO_LIMIT,
      AGENCY_SIMULATOR_PORT: String(agency.port),
      AGENCY_CALLS_PER_SECOND: '1000',
      AGENCY_CALLS_PER_DAY: '10000000',
      FRESHNESS_SECONDS: '0',
    },
  });
  const stop = async () => {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready;
    await fill();
    return { url, passcode: PASSCODE, personal: await fillPersonal(), sessionOf, stop };

    /** A survey that is asked at the first sign-in, saved cases, and news of one. */
    async function fill(): Promise<void> {
      const admin = { cookie: `admin-sid=${await sessionOf('admin')}` };
      const survey = await post('/api/admin/surveys', { title: 'How was it?', isActive: true }, admin);
      const { id: surveyId } = created.parse(await survey.json());
      const question = { surveyId, questionText: 'Well?', isRequired: false };
      await post('/api/admin/survey-questions', question, admin);
      const free = { cookie: `sid=${await sessionOf('free')}` };
      await post('/api/saved-cases', { receiptNumber: RECEIPT }, free);
      const pro = { cookie: `sid=${await sessionOf('pro')}` };
      await post('/api/saved-cases', { receiptNumber: RECEIPT, monitoringFrequency: 'daily' }, pro);
      await untilNotified(pro);
    }

    /** Returns what of a user's data administrators find in the log and in the audit trail; waits until it is there. */
    async function fillPersonal(): Promise<readonly string[]> {
      const { receiptNumber, ...account } = PERSON;
      const signedUp = await post('/api/auth/signup', { ...account, password: DEMO_PASSWORD });
      const looked = await fetch(`${url}/api/case-status/${receiptNumber}`, {
        headers: { cookie: `sid=${cookieOf(signedUp)}` },
      });
      if (!looked.ok) throw new Error(`the case was not found: ${await looked.text()}`);
      const headers = { cookie: `admin-sid=${await sessionOf('admin')}` };
      const made = await post('/api/admin/administrators', { email: PERSON.email, role: 'auditor' }, headers);
      const { id } = created.parse(
        z.object({ administrator: z.unknown() }).parse(await made.json()).administrator,
      );
      await fetch(`${url}/api/admin/administrators/${id}`, {
        method: 'DELETE',
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      });
      const planted = [PERSON.email, PERSON.firstName, receiptNumber];
      const seen = async () => {
        const places = [`/api/admin/logs?receiptNumber=${receiptNumber}`, '/api/admin/audit'];
        const answers = await Promise.all(places.map((place) => fetch(url + place, { headers })));
        const text = (await Promise.all(answers.map((answer) => answer.text()))).join();
        return planted.every((one) => text.includes(one));
      };
      for (let tries = 0; !(await seen()); tries++) {
        if (tries > 600) throw new Error('the log does not show what was planted');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return [...planted, PERSON.lastName];
    }

    async function untilNotified(headers: Record<string, string>): Promise<void> {
      for (let moves = 0; moves < 600; moves++) {
        const answer = await fetch(`${url}/api/notifications`, { headers });
        if (z.array(z.unknown()).parse(await answer.json()).length > 0) return;
        const looked = await fetch(`${url}/api/case-status/${RECEIPT}`, { headers });
        if (!looked.ok) throw new Error(`the case was not found: ${await looked.text()}`);
        const moved = await fetch(`http://127.0.0.1:${agency.port}/__control/cases/${RECEIPT}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status: `Case Was Moved ${moves}` }),
        });
        if (!moved.ok) throw new Error(`the agency was not moved: ${await moved.text()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error('the change of the case produced no notification');
    }

    /** A session of its own each time, as the value of its cookie. */
    async function sessionOf(role: 'free' | 'pro' | 'admin' | 'auditor'): Promise<string> {
      if (role === 'auditor') return auditorSession();
      return cookieOf(
        role === 'admin'
          ? await post('/api/admin/login', { passcode: PASSCODE })
          : await post('/api/auth/login', { email: `${role}@demo.test`, password: DEMO_PASSWORD }),
      );
    }

    /** Of a named administrator, who is invited and accepts. */
    async function auditorSession(): Promise<string> {
      const headers = { cookie: `admin-sid=${await sessionOf('admin')}` };
      const made = await post(
        '/api/admin/administrators',
        { email: AUDITOR.email, role: 'auditor' },
        headers,
      );
      const token = new URL(invited.parse(await made.json()).link).hash.slice(1);
      const opened = await post('/api/admin/invitations/open', { token });
      const { secret } = invitation.parse(await opened.json());
      const accepted = { token, name: 'Grace Hopper', password: AUDITOR.password, code: oneTimeCode(secret) };
      return cookieOf(await post('/api/admin/invitations/accept', accepted));
    }

    async function post(place: string, body: unknown, headers: Record<string, string> = {}) {
      const answer = await fetch(url + place, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${place} answered ${answer.status}: ${await answer.text()}`);
      return answer;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

function cookieOf(answer: Response): string {
  const [, value] = /=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  if (value === undefined) throw new Error(`${answer.url} opened no session`);
  return value;
}

/** The code that an authenticator app shows now (RFC 6238), for a secret in base32. */
function oneTimeCode(secret: string): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  const key = Buffer.from(
    (
      bits
        .map((five) => five.toString(2).padStart(5, '0'))
        .join('')
        .match(/.{8}/g) ?? []
    ).map((byte) => Number.parseInt(byte, 2)),
  );
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
