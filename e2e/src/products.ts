import type { Product, StartedProduct } from './start-product.ts';

const VARIABLE = 'E2E_PRODUCTS';

/** Hands the addresses on to the workers, which are processes of their own. */
export function keepProducts(products: readonly StartedProduct[]): void {
  process.env[VARIABLE] = JSON.stringify(
    products.map(({ url, agencyUrl, paymentsUrl }) => ({ url, agencyUrl, paymentsUrl })),
  );
}

/** Returns the product of the worker at this place; no other worker uses it at the same time. */
export function productOf(parallelIndex: number): Product {
  const products: Product[] = JSON.parse(process.env[VARIABLE] ?? '[]');
  const product = products[parallelIndex];
  if (!product) throw new Error(`no product was started for worker ${parallelIndex}`);
  return product;
}
