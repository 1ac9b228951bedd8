const BILLING_CONFIG_PATH = '/api/billing/config';

/** What the server is set to sell. */
export interface Offer {
  offered: boolean;
  trialDays: number;
}

/**
 * Reads what the server is set to, without the app's API client; undefined where it does not say. Where Pro is not offered, the
 * document is marked, and what is only for Pro disappears (`only-with-pro` in the styles); where tax comes on top of the price, the
 * words about it appear (`only-plus-tax`).
 */
export async function readOffer(signal: AbortSignal): Promise<Offer | undefined> {
  try {
    const answer = await fetch(BILLING_CONFIG_PATH, { signal });
    if (!answer.ok) return undefined;
    const { offered, trialDays, tax }: Partial<Record<'offered' | 'trialDays' | 'tax', unknown>> =
      await answer.json();
    if (typeof offered !== 'boolean' || typeof trialDays !== 'number' || signal.aborted) return undefined;
    document.documentElement.toggleAttribute('data-without-pro', !offered);
    document.documentElement.toggleAttribute('data-plus-tax', tax === 'exclusive');
    return { offered, trialDays };
  } catch {
    return undefined;
  }
}
