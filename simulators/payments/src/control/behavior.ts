/**
 * What Stripe's documentation does not settle, with both ways that Stripe may behave: the product must work with either. The first is
 * the default.
 */
export const BEHAVIOR = {
  /**
   * Whether a subscription keeps the card that a trial's setup intent has saved. `save_default_payment_method: on_subscription` is documented
   * for a payment that succeeds (API reference, "Create a subscription"); of a setup intent it says only that it is attached to the customer.
   */
  trialCard: ['on-subscription', 'on-no-one'],
  /**
   * Where the portal puts another card: `invoice_settings.default_payment_method` of the customer is overridden by a subscription's own
   * (API reference, "The Subscription object"), and whether the portal changes that one too is not said.
   */
  portalCard: ['on-subscription', 'on-customer'],
  /** Whether a subscription forgets a card that is detached. The API reference ("Detach a PaymentMethod") names the customer only. */
  detachedCard: ['forgotten', 'still-named'],
  /** Whether the setup intent of a trial that ends can be confirmed after it ("Cancel a subscription" does not mention it). */
  setupAfterTrial: ['confirmable', 'canceled'],
  /**
   * How the payment of a change fails where the card's bank wants authentication: "requires action" ("Pending updates"), or declined with
   * `authentication_required`, as a charge without the customer ("Decline codes").
   */
  switchAuthentication: ['requires-action', 'declined'],
  /** When a paid change is made: "immediately" ("Pending updates") does not say whether before the payment's answer. */
  paidSwitch: ['made-at-once', 'made-later'],
  /** Whether canceling voids the invoice of a change that waits for its payment: not named among what does ("Pending updates", "Expired updates"). */
  switchOfEnded: ['voided', 'payable'],
  /** Whether a preview of a taxed subscription has its taxes only where the request asks for them ("Create a preview invoice", `automatic_tax`). */
  previewTax: ['only-when-asked', 'as-subscription'],
  /**
   * Whether a customer's place is known as soon as Stripe has checked the address, or with what is first taxed there: `tax.automatic_tax` is
   * said to follow from "the customer's data" ("The Customer object").
   */
  taxPlace: ['known-at-once', 'known-later'],
  /** Whether a discount for one payment outlasts the invoice of a trial, which is over nothing ("Coupons" speaks of the first charge). */
  onceOverTrial: ['kept', 'used'],
  /** Whether a promotion code is redeemed by a subscription that is not paid ("Coupons and promotion codes" does not say). */
  redemption: ['when-begun', 'when-paid'],
} as const;

export type Behavior = { -readonly [Name in keyof typeof BEHAVIOR]: (typeof BEHAVIOR)[Name][number] };

type Switch = keyof Behavior;

/**
 * Returns the switches as they are set by default. The simulator sees them through `behavior` only, which notes each one that something
 * was decided by: what it has not consulted can't have changed anything.
 */
export function createBehavior() {
  const settings: Behavior = {
    trialCard: BEHAVIOR.trialCard[0],
    portalCard: BEHAVIOR.portalCard[0],
    detachedCard: BEHAVIOR.detachedCard[0],
    setupAfterTrial: BEHAVIOR.setupAfterTrial[0],
    switchAuthentication: BEHAVIOR.switchAuthentication[0],
    paidSwitch: BEHAVIOR.paidSwitch[0],
    switchOfEnded: BEHAVIOR.switchOfEnded[0],
    previewTax: BEHAVIOR.previewTax[0],
    taxPlace: BEHAVIOR.taxPlace[0],
    onceOverTrial: BEHAVIOR.onceOverTrial[0],
    redemption: BEHAVIOR.redemption[0],
  };
  const consulted = new Set<Switch>();
  const behavior: Readonly<Behavior> = new Proxy(settings, {
    get(target, name: Switch) {
      consulted.add(name);
      return target[name];
    },
  });
  const behaviorControl = {
    change: (given: { [Name in Switch]?: Behavior[Name] | undefined }) => Object.assign(settings, given),
    status: () => ({ ...settings, consulted: [...consulted] }),
  };
  return { behavior, behaviorControl };
}
