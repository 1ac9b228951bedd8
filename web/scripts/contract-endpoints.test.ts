import { fileURLToPath } from 'node:url';
import { routes } from '@casewatch/contracts/routes';
import { build } from 'vite';
import { expect, test } from 'vitest';
import * as endpoints from '../src/api/endpoints.ts';
import { contractEndpoints } from './contract-endpoints.ts';

test('the web app calls each path with the method of its contract, and gets no schema', async () => {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [contractEndpoints()],
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL('../src/api/endpoints.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'endpoints',
      },
    },
  });
  const [bundle] = [result].flat();
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  const built: unknown = await import(`data:text/javascript,${encodeURIComponent(chunk?.code ?? '')}`);
  const contracts = new Map(routes.map(({ id, method, path }) => [id, { method, path }]));
  const expected = Object.keys(endpoints).filter((name) => contracts.has(name));
  expect(expected.length).toBeGreaterThan(50);
  expect({ ...Object(built) }).toEqual(
    Object.fromEntries(expected.map((name) => [name, contracts.get(name)])),
  );
});
