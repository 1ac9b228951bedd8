// A substitute for Stripe's browser script: defines window.Stripe for @stripe/stripe-js. Card numbers stay in the
// frame; the page around it sees results only. Styles are set through the CSSOM, which a page's policy on inline
// styles does not stop.
(() => {
  const { origin } = new URL(document.currentScript.src);
  const CARD_FRAME = `${origin}/pages/payment-element`;
  const DIALOG_FRAME = `${origin}/pages/authenticate`;

  class IntegrationError extends Error {
    name = 'IntegrationError';
  }

  function Stripe(publishableKey, { locale } = {}) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw new IntegrationError('Please call Stripe() with your publishable key.');
    }
    const retrieve = async (kind, clientSecret) => {
      const query = new URLSearchParams({ client_secret: clientSecret });
      const answer = await callApi(publishableKey, `/v1/${kind}s/${idOf(clientSecret)}?${query}`);
      return answer.error ? answer : { [resultName(kind)]: answer };
    };

    // With the card of the payment element, or with a saved payment method.
    const confirm = async (kind, { elements, clientSecret, confirmParams, redirect }) => {
      if (redirect !== 'if_required')
        throw new IntegrationError('Only redirect: "if_required" is simulated.');
      const secret = clientSecret ?? elements.clientSecret;
      const path = `/v1/${kind}s/${idOf(secret)}/confirm`;
      const form = { client_secret: secret, use_stripe_sdk: 'true', ...confirmParams };
      const answer = elements
        ? await elements.ask('confirm', { key: publishableKey, path, form })
        : await callApi(publishableKey, path, form);
      if (answer.error) return { error: answer.error };
      return follow(kind, answer, secret);
    };

    /** Shows the dialog or goes to another page where the intent requires it, and returns how it ended. */
    const follow = async (kind, intent, secret) => {
      if (intent.status !== 'requires_action') return { [resultName(kind)]: intent };
      if (intent.next_action?.type === 'redirect_to_url') {
        window.location.assign(intent.next_action.redirect_to_url.url);
        return new Promise(() => {});
      }
      await authenticate(secret);
      const after = await retrieve(kind, secret);
      if (after.error) return after;
      const now = after[resultName(kind)];
      const failure = kind === 'payment_intent' ? now.last_payment_error : now.last_setup_error;
      if (now.status === 'requires_payment_method') return { error: { ...failure, [kind]: now } };
      return { [resultName(kind)]: now };
    };

    return {
      elements: (options) => createElements({ locale, ...options }),
      confirmPayment: (options) => confirm('payment_intent', options),
      confirmSetup: (options) => confirm('setup_intent', options),
      // Called by @stripe/stripe-js.
      _registerWrapper: () => {},
    };
  }

  function createElements(options) {
    let { appearance = {}, locale } = options;
    let payment = null;
    return {
      clientSecret: options.clientSecret,
      create: (type) => {
        if (type !== 'payment') throw new IntegrationError(`The element "${type}" is not simulated.`);
        if (payment) throw new IntegrationError('Can only create one Element of type payment.');
        payment = createPaymentElement(
          () => ({ appearance, locale }),
          () => {
            payment = null;
          },
        );
        return payment.element;
      },
      update: (changed) => {
        if (changed.appearance) appearance = changed.appearance;
        if (changed.locale) locale = changed.locale;
        payment?.restyle();
      },
      ask,
    };

    function ask(type, content) {
      if (!payment) throw new IntegrationError('Could not retrieve data: mount a payment element first.');
      return payment.ask(type, content);
    }
  }

  function createPaymentElement(currentLook, forget) {
    const listeners = new Map();
    const answers = new Map();
    const frame = document.createElement('iframe');
    let lastId = 0;
    let isReady = false;
    frame.title = 'Secure payment input frame';
    frame.allow = 'payment *';
    setStyles(frame, { border: '0', width: '100%', height: '240px', display: 'block' });

    const post = (type, content) => frame.contentWindow.postMessage({ type, ...content }, origin);
    const emit = (name) => {
      for (const listener of listeners.get(name) ?? []) listener({ elementType: 'payment' });
    };
    const restyle = () => {
      const { appearance, locale } = currentLook();
      frame.style.colorScheme = appearance.theme === 'night' ? 'dark' : 'light';
      if (isReady) post('appearance', { appearance, locale });
    };
    const onMessage = ({ source, origin: sender, data }) => {
      if (sender !== origin || source !== frame.contentWindow) return;
      if (data.type === 'loaded') {
        isReady = true;
        restyle();
        emit('ready');
      } else if (data.type === 'height') {
        frame.style.height = `${data.height}px`;
      } else if (data.type === 'answer') {
        answers.get(data.id)?.(data.answer);
        answers.delete(data.id);
      } else if (data.type === 'focus') {
        emit('focus');
      }
    };

    const element = {
      mount: (place) => {
        window.addEventListener('message', onMessage);
        frame.src = CARD_FRAME;
        restyle();
        place.replaceChildren(frame);
        return element;
      },
      on: (name, listener) => {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return element;
      },
      destroy: () => {
        window.removeEventListener('message', onMessage);
        frame.remove();
        listeners.clear();
        forget();
      },
    };
    return {
      element,
      restyle,
      ask: (type, content) => {
        if (!isReady) throw new IntegrationError('The payment element is not ready yet.');
        lastId += 1;
        const id = lastId;
        return new Promise((resolve) => {
          answers.set(id, resolve);
          post(type, { id, ...content });
        });
      },
    };
  }

  /** Resolves when the customer has authenticated, has failed to, or has closed the dialog. */
  function authenticate(clientSecret) {
    const dialog = document.createElement('dialog');
    const frame = document.createElement('iframe');
    frame.title = 'Authentication';
    frame.src = `${DIALOG_FRAME}?${new URLSearchParams({ client_secret: clientSecret })}`;
    dialog.setAttribute('aria-label', 'Authentication');
    setStyles(frame, { border: '0', width: '100%', height: '100%', display: 'block' });
    setStyles(dialog, {
      boxSizing: 'border-box',
      width: 'min(400px, calc(100vw - 24px))',
      height: 'min(360px, calc(100vh - 24px))',
      padding: '0',
      border: '1px solid #6b7280',
      borderRadius: '8px',
      overflow: 'hidden',
    });
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      const onMessage = ({ source, origin: sender, data }) => {
        if (sender !== origin || source !== frame.contentWindow || data.type !== 'authenticated') return;
        window.removeEventListener('message', onMessage);
        dialog.close();
        dialog.remove();
        resolve();
      };
      window.addEventListener('message', onMessage);
      dialog.addEventListener('cancel', (event) => {
        // The frame ends the authentication first, so that the intent is not left waiting.
        event.preventDefault();
        frame.contentWindow.postMessage({ type: 'close' }, origin);
      });
    });
  }

  async function callApi(key, path, form) {
    try {
      const answer = await fetch(`${origin}${path}`, {
        headers: { Authorization: `Bearer ${key}` },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      });
      return await answer.json();
    } catch {
      const message = 'We are experiencing issues connecting to our payments provider. Please try again.';
      return { error: { type: 'api_connection_error', message } };
    }
  }

  function idOf(clientSecret) {
    const end = String(clientSecret).indexOf('_secret_');
    if (end < 0) throw new IntegrationError('Invalid value for clientSecret.');
    return clientSecret.slice(0, end);
  }

  function resultName(kind) {
    return kind === 'payment_intent' ? 'paymentIntent' : 'setupIntent';
  }

  function setStyles(element, styles) {
    Object.assign(element.style, styles);
  }

  // The release that @stripe/stripe-js expects to find.
  Stripe.version = 'endive';
  window.Stripe = Stripe;
})();
