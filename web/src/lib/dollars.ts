/** Returns an amount in dollars as people write it: `$9`, `$7.50`. */
export function dollars(amount: number): string {
  return `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}
