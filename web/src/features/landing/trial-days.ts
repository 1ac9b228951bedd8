const BILLING_CONFIG_PATH = '/api/billing/config';

/** Reads what the server is set to, without the app's API client; undefined where it does not say. */
export async function readTrialDays(signal: AbortSignal): Promise<number | undefined> {
  try {
    const answer = await fetch(BILLING_CONFIG_PATH, { signal });
    if (!answer.ok) return undefined;
    const { trialDays }: { trialDays?: unknown } = await answer.json();
    return typeof trialDays === 'number' ? trialDays : undefined;
  } catch {
    return undefined;
  }
}
