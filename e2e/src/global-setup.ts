import { startProduct } from './start-product.ts';

/** One product for the whole run; its addresses reach the tests through the environment. */
export default async function globalSetup() {
  // Every look-up asks the agency, so that a test can let it answer otherwise the second time.
  const product = await startProduct({ FRESHNESS_SECONDS: '0' });
  process.env.E2E_URL = product.url;
  process.env.E2E_AGENCY_URL = product.agencyUrl;
  return () => product.stop();
}
