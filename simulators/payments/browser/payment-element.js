// Runs in the card frame. Takes commands from the page around it and answers with results; card numbers go to the API
// only.
const fields = Object.fromEntries(
  ['number', 'expiry', 'cvc', 'zip'].map((name) => [name, document.getElementById(name)]),
);
const digitsOf = (text) => text.replaceAll(/\D/g, '');
/** What the form says, by language. `card_declined`: null for the words of the API, which are English. */
const TEXTS = {
  en: {
    form: 'Card',
    labels: {
      number: 'Card number',
      expiry: 'Expiration date',
      cvc: 'Security code',
      zip: 'ZIP code',
    },
    expiryPlaceholder: 'MM / YY',
    incomplete_number: 'Your card number is incomplete.',
    invalid_number: 'Your card number is invalid.',
    incomplete_expiry: "Your card's expiration date is incomplete.",
    invalid_expiry_year_past: "Your card's expiration year is in the past.",
    invalid_expiry_month_past: "Your card's expiration date is in the past.",
    incomplete_cvc: "Your card's security code is incomplete.",
    incomplete_zip: 'Your ZIP is invalid.',
    card_declined: null,
    noConnection: 'We are experiencing issues connecting to our payments provider. Please try again.',
  },
  es: {
    form: 'Tarjeta',
    labels: {
      number: 'Número de tarjeta',
      expiry: 'Fecha de vencimiento',
      cvc: 'Código de seguridad',
      zip: 'Código postal',
    },
    expiryPlaceholder: 'MM / AA',
    incomplete_number: 'El número de la tarjeta está incompleto.',
    invalid_number: 'El número de la tarjeta no es válido.',
    incomplete_expiry: 'La fecha de vencimiento de la tarjeta está incompleta.',
    invalid_expiry_year_past: 'El año de vencimiento de la tarjeta ya pasó.',
    invalid_expiry_month_past: 'La fecha de vencimiento de la tarjeta ya pasó.',
    incomplete_cvc: 'El código de seguridad de la tarjeta está incompleto.',
    incomplete_zip: 'El código postal no es válido.',
    card_declined: 'La tarjeta fue rechazada.',
    noConnection: 'No podemos conectarnos con nuestro proveedor de pagos. Inténtelo de nuevo.',
  },
};
let texts = TEXTS.en;
const toParent = (message) => window.parent.postMessage(message, '*');

const THEMES = {
  light: { background: '#ffffff', text: '#1f2937', danger: '#b91c1c', primary: '#1d4ed8', line: '#6b7280' },
  night: { background: '#1f2430', text: '#f3f4f6', danger: '#fca5a5', primary: '#93c5fd', line: '#9ca3af' },
};

window.addEventListener('message', async ({ source, data }) => {
  if (source !== window.parent) return;
  if (data.type === 'appearance') {
    style(data.appearance);
    return speak(data.locale);
  }
  if (data.type === 'confirm') toParent({ type: 'answer', id: data.id, answer: await confirm(data) });
});

for (const [name, field] of Object.entries(fields)) {
  field.addEventListener('input', () => {
    if (name === 'number') field.value = formatNumber(field.value);
    if (name === 'expiry') field.value = formatExpiry(field.value);
    show(name, undefined);
  });
  field.addEventListener('blur', () => {
    if (field.value !== '') show(name, describeError(name, valuesOf()));
  });
  field.addEventListener('focus', () => toParent({ type: 'focus' }));
}
new ResizeObserver(() => {
  toParent({ type: 'height', height: document.documentElement.getBoundingClientRect().height });
}).observe(document.documentElement);
toParent({ type: 'loaded' });

async function confirm({ key, path, form }) {
  const error = validate();
  return error ? { error } : send(key, path, { ...form, ...cardParams(valuesOf()) });
}

/** Shows every error; the first one, or undefined. */
function validate() {
  let first;
  for (const [name, field] of Object.entries(fields)) {
    const error = describeError(name, valuesOf());
    show(name, error);
    if (error && !first) {
      first = { type: 'validation_error', code: error.code, message: error.message };
      field.focus();
    }
  }
  return first;
}

async function send(key, path, form) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: new URLSearchParams(form),
    });
    const result = await answer.json();
    if (result.error?.code === 'card_declined')
      result.error.message = texts.card_declined ?? result.error.message;
    return result;
  } catch {
    return { error: { type: 'api_connection_error', message: texts.noConnection } };
  }
}

function show(name, error) {
  const place = document.getElementById(`${name}-error`);
  place.textContent = error?.message ?? '';
  fields[name].setAttribute('aria-invalid', String(error !== undefined));
}

function valuesOf() {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

/** Shows the form in the language of a locale like `es-419`; in English where it has no texts. */
function speak(locale = 'en') {
  const language = locale.startsWith('es') ? 'es' : 'en';
  texts = TEXTS[language];
  document.documentElement.lang = language;
  document.querySelector('form').setAttribute('aria-label', texts.form);
  for (const [name, label] of Object.entries(texts.labels)) {
    document.querySelector(`label[for="${name}"]`).textContent = label;
  }
  fields.expiry.placeholder = texts.expiryPlaceholder;
  for (const [name, field] of Object.entries(fields)) {
    if (field.getAttribute('aria-invalid') === 'true') show(name, describeError(name, valuesOf()));
  }
}

function style({ theme, variables = {} }) {
  const isNight = theme === 'night';
  const base = isNight ? THEMES.night : THEMES.light;
  const root = document.documentElement.style;
  root.setProperty('color-scheme', isNight ? 'dark' : 'light');
  root.setProperty('--background', variables.colorBackground ?? base.background);
  root.setProperty('--text', variables.colorText ?? base.text);
  root.setProperty('--danger', variables.colorDanger ?? base.danger);
  root.setProperty('--primary', variables.colorPrimary ?? base.primary);
  root.setProperty('--line', base.line);
  if (variables.borderRadius) root.setProperty('--radius', variables.borderRadius);
  if (variables.fontFamily) root.setProperty('--font', variables.fontFamily);
  if (variables.fontSizeBase) root.setProperty('font-size', variables.fontSizeBase);
}

/** What is wrong with a field, in the words and codes of Stripe's own form; undefined when nothing is. */
function describeError(name, { number, expiry, cvc, zip }) {
  const code = {
    number: () => numberError(digitsOf(number)),
    expiry: () => expiryError(digitsOf(expiry)),
    cvc: () => (digitsOf(cvc).length < 3 ? 'incomplete_cvc' : undefined),
    zip: () => (/^\d{5}(-?\d{4})?$/.test(zip.trim()) ? undefined : 'incomplete_zip'),
  }[name]();
  return code && { code, message: texts[code] };
}

/** `4242 4242 4242 4242`. */
function formatNumber(text) {
  return (
    digitsOf(text)
      .slice(0, 16)
      .match(/.{1,4}/g) ?? []
  ).join(' ');
}

/** `12 / 34`. */
function formatExpiry(text) {
  let digits = digitsOf(text).slice(0, 4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** The parameters of a card in a confirmation. */
function cardParams({ number, expiry, cvc, zip }) {
  const digits = digitsOf(expiry);
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': digitsOf(number),
    'payment_method_data[card][exp_month]': String(Number(digits.slice(0, 2))),
    'payment_method_data[card][exp_year]': digits.slice(2),
    'payment_method_data[card][cvc]': digitsOf(cvc),
    'payment_method_data[billing_details][address][postal_code]': zip.trim(),
  };
}

function numberError(digits) {
  if (digits.length < 16) return 'incomplete_number';
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 ? undefined : 'invalid_number';
}

function expiryError(digits) {
  const month = Number(digits.slice(0, 2));
  if (digits.length < 4 || month < 1 || month > 12) return 'incomplete_expiry';
  const now = new Date();
  const year = 2000 + Number(digits.slice(2));
  if (year < now.getFullYear()) return 'invalid_expiry_year_past';
  return year === now.getFullYear() && month < now.getMonth() + 1 ? 'invalid_expiry_month_past' : undefined;
}
