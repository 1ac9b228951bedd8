import type { PersonalData } from '@casewatch/service-kit/database/personal-data';

/** What the service holds about a user, and which of it the user can download. */
export const personalData: PersonalData = {
  tables: {
    customers: {
      key: ['user_id'],
      columns: 'user_id, email, name, stripe_customer_id, trial_refused, refused_subscription_id',
      withheld: {
        customer_asked_at: 'of the work queue',
        attempt: 'of the work queue',
        version: 'of the work queue',
        user_version: 'which change of the account the name is from',
        due_at: 'of the work queue',
        urgent: 'of the work queue',
        wakes: 'of the work queue',
        failures: 'of the work queue',
        contact_changed: 'of the work queue',
        deleted_at: 'empty as long as the account exists',
      },
    },
    trial_claims: {
      key: ['hash'],
      columns: 'user_id, kind, stripe_subscription_id, claimed_at',
      withheld: {
        hash: 'a keyed hash of the address or card, which stays after the account, without its id',
      },
    },
    subscriptions: {
      key: ['user_id'],
      columns: `
        user_id, stripe_subscription_id, status, tier, price_id, price_cents, price_interval, price_name,
        period_ends_at, cancels_at, trial_ends_at, grace_ends_at, payment_failed, awaits_card,
        trial_ends_pro, payments_paused, payments_resume_at, taxed, card_brand, card_last4, trial_used,
        ended_at, end_reason
      `,
      withheld: {
        announced: 'what was last published of the row',
        reminded_of_trial: 'what the user was last notified of',
        notified_of_invoice: 'what the user was last notified of',
        notified_of_price: 'what the user was last notified of',
      },
    },
  },
};
