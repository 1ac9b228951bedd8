import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import './shortcuts.scss';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { useNavigate } from 'react-router-dom';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { isShortcutKey } from '../../lib/shortcut-keys.ts';

/** How long `g` waits for the letter after it. */
const SEQUENCE_MS = 1_500;
/** The fields that `/` reaches, where the screen has one of them. */
const SEARCH_FIELDS = '#main [name="receiptNumber"], #main [name="receiptNumbers"], #main [type="search"]';

const SHORTCUTS = [
  { keys: ['/'], what: msg`Go to the search box` },
  { keys: ['g', 'l'], what: msg`Look up a case` },
  { keys: ['g', 's'], what: msg`Saved cases` },
  { keys: ['g', 'n'], what: msg`Notifications` },
  { keys: ['?'], what: msg`Show these shortcuts` },
];

/** Shortcuts of the signed-in screens, and the dialog that lists them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isListed, setIsListed] = useState(false);
  const goAtMs = useRef(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcutKey(event)) return;
    const isSecond = event.timeStamp - goAtMs.current < SEQUENCE_MS;
    goAtMs.current = Number.NEGATIVE_INFINITY;
    if (isSecond && event.key === 's') void navigate('/saved-cases');
    else if (isSecond && event.key === 'l') void navigate('/');
    else if (isSecond && event.key === 'n') openNotifications();
    else if (event.key === 'g') goAtMs.current = event.timeStamp;
    else if (event.key === '?') setIsListed(true);
    else if (event.key === '/') search();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const search = () => {
    if (focusSearch()) return;
    void navigate('/');
    // The page that opens takes the focus first.
    const observer = new MutationObserver(() => {
      if (focusSearch()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    setTimeout(() => observer.disconnect(), SEQUENCE_MS);
  };

  return (
    <Modal show={isListed} onHide={() => setIsListed(false)} aria-labelledby="shortcuts" centered>
      <DialogHeader titleId="shortcuts" title={t`Keyboard shortcuts`} onClose={() => setIsListed(false)} />
      <Modal.Body>
        <dl className="shortcut-list">
          {SHORTCUTS.map(({ keys, what }) => (
            <div key={what.id}>
              <dt>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ` ${t`then`} `}
                    <kbd>{key}</kbd>
                  </span>
                ))}
              </dt>
              <dd>{i18n._(what)}</dd>
            </div>
          ))}
        </dl>
        <p>
          <Trans>You can turn shortcuts off in your profile.</Trans>
        </p>
      </Modal.Body>
    </Modal>
  );
}

function focusSearch(): boolean {
  const field = [...document.querySelectorAll<HTMLElement>(SEARCH_FIELDS)].find((one) => one.offsetParent);
  field?.focus();
  return field !== undefined;
}

function openNotifications(): void {
  const bell = document.querySelector<HTMLElement>('.notification-bell');
  bell?.focus();
  if (bell?.getAttribute('aria-expanded') === 'false') bell.click();
}
