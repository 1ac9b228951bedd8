// The stand-in for Stripe's browser script: defines window.Stripe for @stripe/stripe-js. Card numbers stay in the
// frame; the page around it sees results only. Styles are set through the CSSOM, which a page's policy on inline
// styles does not stop.
(() => {
  const { origin } = new URL(document.currentScript.src);
  const CARD_FRAME = `${origin}/pages/payment-element`;
  const DIALOG_FRAME = `${origin}/pages/authenticate`;

  class IntegrationError extends Error {
    name = 'IntegrationError';
  }

  function Stripe(publishableKey) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw new IntegrationError('Please call Stripe() with your publishable key.');
    }
    const api = (path, form) => callApi(publishableKey, path, form);

    const retrieve = async (kind, clientSecret) => {
      const query = new URLSearchParams({ client_secret: clientSecret });
      const answer = await api(`/v1/${kind}s/${idOf(clientSecret)}?${query}`);
      return answer.error ? answer : { [resultName(kind)]: answer };
    };

    const confirm = async (kind, { elements, clientSecret, confirmParams = {}, redirect = 'always' }) => {
      const secret = clientSecret ?? elements?.clientSecret;
      if (!secret)
        throw new IntegrationError('You must pass in a clientSecret or elements created with one.');
      const returnUrl = confirmParams.return_url;
      if (redirect === 'always' && !returnUrl) {
        throw new IntegrationError('confirmParams.return_url is required unless redirect is "if_required".');
      }
      const path = `/v1/${kind}s/${idOf(secret)}/confirm`;
      const form = {
        client_secret: secret,
        use_stripe_sdk: 'true',
        ...(returnUrl ? { return_url: returnUrl } : {}),
      };
      const method = confirmParams.payment_method;
      const answer =
        typeof method === 'string'
          ? await api(path, { ...form, payment_method: method })
          : await elements.ask('confirm', { key: publishableKey, path, form });
      if (answer.error) return { error: answer.error };
      return follow(kind, answer, { secret, returnUrl, redirect });
    };

    /** Shows the dialog or goes to another page where the intent asks for it, and says how it ended. */
    const follow = async (kind, intent, { secret, returnUrl, redirect }) => {
      if (intent.status === 'requires_action') {
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
        return follow(kind, now, { secret, returnUrl, redirect });
      }
      if (redirect === 'always') {
        const target = new URL(returnUrl);
        target.searchParams.set(kind, intent.id);
        target.searchParams.set(`${kind}_client_secret`, secret);
        target.searchParams.set('redirect_status', intent.status === 'processing' ? 'pending' : 'succeeded');
        window.location.assign(target.href);
        return new Promise(() => {});
      }
      return { [resultName(kind)]: intent };
    };

    const handleNextAction = async ({ clientSecret }) => {
      const kind = clientSecret.startsWith('seti_') ? 'setup_intent' : 'payment_intent';
      const found = await retrieve(kind, clientSecret);
      if (found.error) return found;
      return follow(kind, found[resultName(kind)], { secret: clientSecret, redirect: 'if_required' });
    };

    return {
      elements: (options = {}) => createElements(options),
      confirmPayment: (options) => confirm('payment_intent', options),
      confirmSetup: (options) => confirm('setup_intent', options),
      confirmCardPayment: (clientSecret, data = {}) =>
        confirm('payment_intent', { clientSecret, confirmParams: data, redirect: 'if_required' }),
      confirmCardSetup: (clientSecret, data = {}) =>
        confirm('setup_intent', { clientSecret, confirmParams: data, redirect: 'if_required' }),
      createPaymentMethod: async ({ elements }) => {
        const answer = await elements.ask('create', { key: publishableKey });
        return answer.error ? answer : { paymentMethod: answer };
      },
      createToken: async () => {
        throw new IntegrationError('Tokens are not simulated: use a payment element.');
      },
      handleNextAction,
      retrievePaymentIntent: (clientSecret) => retrieve('payment_intent', clientSecret),
      retrieveSetupIntent: (clientSecret) => retrieve('setup_intent', clientSecret),
      registerAppInfo: () => {},
      _registerWrapper: () => {},
    };
  }

  function createElements(options) {
    let appearance = options.appearance ?? {};
    let payment = null;
    return {
      clientSecret: options.clientSecret,
      create: (type) => {
        if (type !== 'payment') throw new IntegrationError(`The element "${type}" is not simulated.`);
        if (payment) throw new IntegrationError('Can only create one Element of type payment.');
        payment = createPaymentElement(
          () => appearance,
          () => {
            payment = null;
          },
        );
        return payment.element;
      },
      getElement: (type) => (type === 'payment' ? (payment?.element ?? null) : null),
      update: (changed) => {
        if (changed.appearance) appearance = changed.appearance;
        payment?.restyle();
      },
      fetchUpdates: async () => ({}),
      submit: async () => {
        const { error } = await ask('validate', {});
        return error ? { error } : { selectedPaymentMethod: 'card' };
      },
      ask,
    };

    function ask(type, content) {
      if (!payment) throw new IntegrationError('Could not retrieve data: mount a payment element first.');
      return payment.ask(type, content);
    }
  }

  function createPaymentElement(currentAppearance, forget) {
    const listeners = new Map();
    const answers = new Map();
    const frame = document.createElement('iframe');
    let lastId = 0;
    let isReady = false;
    frame.title = 'Secure payment input frame';
    frame.allow = 'payment *';
    setStyles(frame, { border: '0', width: '100%', height: '240px', display: 'block' });

    const post = (type, content) => frame.contentWindow.postMessage({ type, ...content }, origin);
    const emit = (name, event) => {
      for (const listener of listeners.get(name) ?? []) listener({ elementType: 'payment', ...event });
    };
    const restyle = () => {
      const appearance = currentAppearance();
      frame.style.colorScheme = appearance.theme === 'night' ? 'dark' : 'light';
      if (isReady) post('appearance', { appearance });
    };
    const onMessage = ({ source, origin: sender, data }) => {
      if (sender !== origin || source !== frame.contentWindow) return;
      if (data.type === 'loaded') {
        isReady = true;
        restyle();
        emit('ready', {});
      } else if (data.type === 'height') {
        frame.style.height = `${data.height}px`;
      } else if (data.type === 'answer') {
        answers.get(data.id)?.(data.answer);
        answers.delete(data.id);
      } else if (data.type === 'change') {
        emit('change', {
          empty: data.empty,
          complete: data.complete,
          collapsed: false,
          value: { type: 'card' },
        });
      } else if (data.type === 'focus' || data.type === 'blur') {
        emit(data.type, {});
      }
    };

    const element = {
      mount: (place) => {
        const parent = typeof place === 'string' ? document.querySelector(place) : place;
        if (!parent) throw new IntegrationError('The selector you specified applies to no DOM elements.');
        isReady = false;
        window.addEventListener('message', onMessage);
        frame.src = CARD_FRAME;
        restyle();
        parent.replaceChildren(frame);
        emit('loaderstart', {});
        return element;
      },
      on: (name, listener) => {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return element;
      },
      off: (name, listener) => {
        const kept = (listeners.get(name) ?? []).filter((each) => listener && each !== listener);
        listeners.set(name, kept);
        return element;
      },
      once: (name, listener) => {
        const onlyOnce = (event) => {
          element.off(name, onlyOnce);
          listener(event);
        };
        return element.on(name, onlyOnce);
      },
      update: () => element,
      collapse: () => element,
      focus: () => post('focus', {}),
      blur: () => post('blur', {}),
      clear: () => post('clear', {}),
      unmount: () => {
        window.removeEventListener('message', onMessage);
        frame.remove();
        isReady = false;
        return element;
      },
      destroy: () => {
        element.unmount();
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

  /** Resolves when the customer has proved who they are, has failed to, or has closed the dialog. */
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
