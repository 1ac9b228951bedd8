import { z } from 'zod';
import { defineRoute } from './route-contract.ts';

/** What mail servers and mailbox providers report later of an e-mail that was accepted. */
export const receiveMailReport = defineRoute({
  id: 'receiveMailReport',
  service: 'notifications',
  method: 'POST',
  path: '/api/webhooks/mail-reports',
  access: 'public',
  summary: 'For the mail server only: a bounce (RFC 3464) or a complaint (RFC 5965) has arrived',
  description:
    'The body is the whole message. A report counts only with the Message-ID, or the link that stops e-mails, of an e-mail that was sent to that address; anything else is answered `ignored`.',
  body: z.unknown(),
  signedBody: {
    signatureHeader: 'Mail-Report-Secret',
    description: 'The secret of the setting MAIL_REPORT_SECRET.',
    type: 'message/rfc822',
  },
  answer: z.object({
    result: z.enum(['address-refused', 'emails-stopped', 'ignored']).meta({
      description:
        '`address-refused`: the account is marked, and its user told. `emails-stopped`: the user who complained gets no more e-mails about cases.',
    }),
  }),
  errors: ['INVALID_SIGNATURE'],
});
