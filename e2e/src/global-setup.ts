import { startProduct } from './start-product.ts';

/** One product for the whole run; its addresses reach the tests through the environment. */
export default async function globalSetup() {
  const product = await startProduct();
  process.env.E2E_URL = product.url;
  process.env.E2E_AGENCY_URL = product.agencyUrl;
  return () => product.stop();
}
