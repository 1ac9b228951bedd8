import type { FullConfig } from '@playwright/test';
import { keepProducts } from './products.ts';
import { startProduct } from './start-product.ts';

/** Starts a product for each worker, once for the whole run; their addresses reach the tests through the environment. */
export default async function globalSetup({ workers }: FullConfig) {
  const products = await Promise.all(Array.from({ length: workers }, () => startProduct()));
  keepProducts(products);
  return async () => {
    await Promise.all(products.map((product) => product.stop()));
  };
}
