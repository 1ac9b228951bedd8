import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Kubeconfig = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ server: z.url(), 'certificate-authority': z.string() }) }),
  ]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

/** Reads from the API server over one kept connection: kubectl would start a program each time. */
export function createApiReader(kubeconfig: string) {
  const config = Kubeconfig.parse(JSON.parse(readFileSync(kubeconfig, 'utf8')));
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const agent = new https.Agent({ keepAlive: true, ca: readFileSync(cluster['certificate-authority']) });
  return {
    /** The items of a list, such as `/api/v1/pods`. @throws unless the answer is 200 */
    async items<Item>(path: string): Promise<Item[]> {
      const request = https.get(new URL(path, cluster.server), {
        agent,
        headers: { authorization: `Bearer ${user.token}` },
      });
      const [answer] = await once(request, 'response');
      const body = await text(answer);
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${body.slice(0, 200)}`);
      return JSON.parse(body).items;
    },
    stop: () => agent.destroy(),
  };
}
