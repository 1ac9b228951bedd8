import { z } from 'zod';
import { price, subscription } from './billing.ts';
import { type AnswerOf, defineRoute } from './route-contract.ts';

export const previewSwitch = defineRoute({
  id: 'previewSwitch',
  service: 'billing',
  method: 'GET',
  path: '/api/billing/switch',
  access: 'user',
  summary: 'What changing from monthly to yearly payment costs now',
  answer: z.object({
    price,
    at: z.iso.datetime().meta({ description: 'What the amount is valid for: send it back to switch.' }),
    dueNow: z.number().meta({ description: 'Dollars: the yearly price, less what is left of the month.' }),
    nextPaymentAt: z.iso.datetime().meta({ description: 'When the yearly price is paid next.' }),
    taxed: z.literal(true).optional().meta({ description: 'Tax is computed: it is in the amount due now.' }),
    discounted: z.literal(true).optional().meta({
      description:
        'It began with a promotion code: what is left of its discount is off the amount due now, and off the next payment.',
    }),
  }),
  errors: ['NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
});
export type SwitchPreview = AnswerOf<typeof previewSwitch>;

export const switchToYearly = defineRoute({
  id: 'switchToYearly',
  service: 'billing',
  method: 'POST',
  path: '/api/billing/switch',
  access: 'user',
  summary: 'Change from monthly to yearly payment',
  description:
    'Charges the amount of the preview. A declined card changes nothing. Twice is no error: the second time finds it done. With a clientSecret: nothing is changed until the browser has confirmed that payment, with this payment method; without one, and the price not changed yet, the payment is in progress.',
  body: z.strictObject({
    at: z.iso.datetime({ offset: true }).meta({ description: 'From the preview, at most an hour old.' }),
  }),
  answer: subscription.extend({
    clientSecret: z.string().optional().meta({ description: 'The bank wants the payer to authenticate.' }),
    paymentMethodId: z.string().optional(),
  }),
  errors: ['NO_SUBSCRIPTION', 'CARD_DECLINED', 'PAYMENTS_UNAVAILABLE'],
});
