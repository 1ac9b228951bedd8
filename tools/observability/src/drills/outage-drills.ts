import type { Drill } from './run-drill.ts';

const HOUR_SECONDS = 3_600;

/** Of what the product needs and does not get, and of visitors who do not come. */
export const OUTAGE_DRILLS: readonly Drill[] = [
  {
    alert: 'CasewatchDependencyDown',
    breaks: 'Kafka is killed',
    break: ({ kafka }) => kafka.kill(),
    fixes: 'Kafka is restored',
    fix: ({ kafka }) => kafka.restart(),
  },
  {
    alert: 'CasewatchProviderFailing',
    breaks: 'the mail server refuses connections, and a case moves',
    async break({ roleOf, watchMovedCases }) {
      await roleOf('notifications').restart({ SMTP_URL: 'smtp://127.0.0.1:1' });
      await watchMovedCases(1);
    },
    fixes: 'the mail server accepts connections again',
    fix: ({ roleOf, mailServer }) =>
      roleOf('notifications').restart({ SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` }),
    looksBackSeconds: 600,
  },
  {
    alert: 'CasewatchProcessUnstable',
    breaks: 'surveys ends again and again, and is restarted',
    break: async () => undefined,
    duringFailure: ({ roleOf }) => roleOf('surveys').restart(),
    fixes: 'the last change is undone',
    fix: async () => undefined,
    looksBackSeconds: HOUR_SECONDS,
    also: { CasewatchMetricsMissing: 'a process that has just started does not know its lag yet' },
  },
  {
    alert: 'CasewatchNoTraffic',
    // A rate begins with the second value of a series.
    prepare: ({ visit }) => visit('/api/saved-cases'),
    breaks: 'visitors come, and a day later none',
    break: ({ visit }) => visit('/api/saved-cases', 1_200),
    lastsSeconds: 24 * HOUR_SECONDS,
    fixes: 'the way to the gateway is open again',
    fix: ({ visit }) => visit('/api/saved-cases'),
  },
  {
    alert: 'CasewatchSignInsFailing',
    breaks: 'a release of identity refuses every password',
    break: ({ product }) => signInWrongly(product.url, 1),
    duringFailure: ({ product }) => signInWrongly(product.url, 150),
    fixes: 'the release is rolled back',
    fix: async () => undefined,
    looksBackSeconds: 900,
  },
  {
    alert: 'CasewatchMailsRefused',
    breaks: 'the mail server refuses our e-mails for good',
    async break({ mailServer, watchMovedCases }) {
      mailServer.refuseRecipients(() => 554);
      await watchMovedCases(15);
    },
    fixes: 'its administrators accept the sender',
    fix: async ({ mailServer }) => mailServer.refuseRecipients(() => undefined),
    looksBackSeconds: HOUR_SECONDS,
  },
];

async function signInWrongly(url: string, count: number): Promise<void> {
  for (let tries = 0; tries < count; tries += 1) {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: 'drilled@people.test', password: 'not the password' }),
    });
    await answer.body?.cancel();
  }
}
