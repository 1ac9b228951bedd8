import { describeFault, formatExpiry, formatNumber, readCard } from './card-fields.js';

// Runs in the card frame. Takes orders from the page around it and answers with results; card numbers go to the
// API only.
const fields = Object.fromEntries(
  ['number', 'expiry', 'cvc', 'zip'].map((name) => [name, document.getElementById(name)]),
);
const toParent = (message) => window.parent.postMessage(message, '*');

const THEMES = {
  light: { background: '#ffffff', text: '#1f2937', danger: '#b91c1c', primary: '#1d4ed8', line: '#6b7280' },
  night: { background: '#1f2430', text: '#f3f4f6', danger: '#fca5a5', primary: '#93c5fd', line: '#9ca3af' },
};

window.addEventListener('message', async ({ source, data }) => {
  if (source !== window.parent) return;
  if (data.type === 'appearance') return style(data.appearance);
  if (data.type === 'focus') return fields.number.focus();
  if (data.type === 'blur') return document.activeElement?.blur();
  if (data.type === 'clear') return clear();
  const answer = await obey(data);
  if (answer) toParent({ type: 'answer', id: data.id, answer });
});

for (const [name, field] of Object.entries(fields)) {
  field.addEventListener('input', () => {
    if (name === 'number') field.value = formatNumber(field.value);
    if (name === 'expiry') field.value = formatExpiry(field.value);
    show(name, undefined);
    tellChange();
  });
  field.addEventListener('blur', () => {
    toParent({ type: 'blur' });
    if (field.value !== '') show(name, describeFault(name, valuesOf()));
  });
  field.addEventListener('focus', () => toParent({ type: 'focus' }));
}
new ResizeObserver(() => {
  toParent({ type: 'height', height: document.documentElement.getBoundingClientRect().height });
}).observe(document.documentElement);
toParent({ type: 'loaded' });

async function obey({ type, key, path, form }) {
  const error = validate();
  if (error) return { error };
  if (type === 'validate') return {};
  if (type === 'create') return send(key, '/v1/payment_methods', readCard(valuesOf(), ''));
  if (type === 'confirm') return send(key, path, { ...form, ...readCard(valuesOf(), 'payment_method_data') });
  return undefined;
}

/** Shows every fault; the first one, or undefined. */
function validate() {
  let first;
  for (const [name, field] of Object.entries(fields)) {
    const fault = describeFault(name, valuesOf());
    show(name, fault);
    if (fault && !first) {
      first = { type: 'validation_error', code: fault.code, message: fault.message };
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
    return await answer.json();
  } catch {
    const message = 'We are experiencing issues connecting to our payments provider. Please try again.';
    return { error: { type: 'api_connection_error', message } };
  }
}

function show(name, fault) {
  const place = document.getElementById(`${name}-error`);
  place.textContent = fault?.message ?? '';
  fields[name].setAttribute('aria-invalid', String(fault !== undefined));
}

function tellChange() {
  const values = valuesOf();
  const faults = Object.keys(fields).filter((name) => describeFault(name, values));
  toParent({
    type: 'change',
    complete: faults.length === 0,
    empty: Object.values(values).every((value) => value === ''),
  });
}

function clear() {
  for (const [name, field] of Object.entries(fields)) {
    field.value = '';
    show(name, undefined);
  }
  tellChange();
}

function valuesOf() {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
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
