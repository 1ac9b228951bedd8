import type { AgencyProcess } from '@casewatch/dev-stack/processes/agency-process';

export interface AgencyFault {
  mode: string;
  receiptNumber?: string;
  endpoint?: 'token';
}

/** The control API of a simulated agency. */
export function controlOf({ controlUrl }: AgencyProcess) {
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await fetch(controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
  return {
    fault: (fault: AgencyFault) => send('PUT', '/faults', fault),
    /** Sets how long every answer takes. */
    latency: (ms: number) => send('PUT', '/latency', { ms }),
    revokeTokens: () => send('DELETE', '/tokens'),
    /** Status calls for this case that have arrived. */
    async calls(receiptNumber: string): Promise<number> {
      const answer = await send('GET', `/calls?receiptNumber=${receiptNumber}`);
      return ((await answer.json()) as { total: number }).total;
    },
  };
}
