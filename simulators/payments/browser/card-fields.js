const digitsOf = (text) => text.replaceAll(/\D/g, '');
const FAULTS = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: 'Your ZIP is invalid.',
};

/** What is wrong with a field, in the words and codes of Stripe's own form; undefined when nothing is. */
export function describeFault(name, { number, expiry, cvc, zip }) {
  const code = {
    number: () => numberFault(digitsOf(number)),
    expiry: () => expiryFault(digitsOf(expiry)),
    cvc: () => (digitsOf(cvc).length < (isAmex(number) ? 4 : 3) ? 'incomplete_cvc' : undefined),
    zip: () => (/^\d{5}(-?\d{4})?$/.test(zip.trim()) ? undefined : 'incomplete_zip'),
  }[name]();
  return code && { code, message: FAULTS[code] };
}

/** `4242 4242 4242 4242`, or in the groups of American Express. */
export function formatNumber(text) {
  const digits = digitsOf(text).slice(0, isAmex(text) ? 15 : 16);
  const groups = isAmex(text) ? [4, 6, 5] : [4, 4, 4, 4];
  let rest = digits;
  const parts = groups.map((length) => {
    const part = rest.slice(0, length);
    rest = rest.slice(length);
    return part;
  });
  return parts.filter((part) => part !== '').join(' ');
}

/** `12 / 34`. */
export function formatExpiry(text) {
  let digits = digitsOf(text).slice(0, 4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** The parameters of a card, below a name or at the top. */
export function readCard({ number, expiry, cvc, zip }, prefix) {
  const named = (name) =>
    prefix === '' ? name : `${prefix}[${name.replace('[', '][').replace(/([^\]])$/, '$1]')}`;
  const digits = digitsOf(expiry);
  return {
    [named('type')]: 'card',
    [named('card[number]')]: digitsOf(number),
    [named('card[exp_month]')]: String(Number(digits.slice(0, 2))),
    [named('card[exp_year]')]: digits.slice(2),
    [named('card[cvc]')]: digitsOf(cvc),
    [named('billing_details[address][postal_code]')]: zip.trim(),
  };
}

function numberFault(digits) {
  if (digits.length < (isAmex(digits) ? 15 : 16)) return 'incomplete_number';
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 ? undefined : 'invalid_number';
}

function expiryFault(digits) {
  const month = Number(digits.slice(0, 2));
  if (digits.length < 4 || month < 1 || month > 12) return 'incomplete_expiry';
  const now = new Date();
  const year = 2000 + Number(digits.slice(2));
  if (year < now.getFullYear()) return 'invalid_expiry_year_past';
  return year === now.getFullYear() && month < now.getMonth() + 1 ? 'invalid_expiry_month_past' : undefined;
}

function isAmex(number) {
  return /^3[47]/.test(digitsOf(number));
}
