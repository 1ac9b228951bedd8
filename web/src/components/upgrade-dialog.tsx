import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { useNavigate } from 'react-router-dom';
import { useAddsTax, useOffersPro } from '../api/billing.ts';
import { PRO_BENEFITS, proPrice } from '../config/pro-benefits.ts';
import { BenefitList } from './benefit-list.tsx';
import { Button } from './button.tsx';
import { DialogHeader } from './dialog-header.tsx';

interface UpgradeDialogProps {
  /** What the person wanted to do, as it begins the sentence: 'Bulk Search'. */
  feature: string;
  show: boolean;
  onHide: () => void;
}

/** Says that a feature belongs to Pro and offers the way to it, where Pro is offered; closing it changes nothing. */
export function UpgradeDialog({ feature, show, onHide }: UpgradeDialogProps) {
  const offersPro = useOffersPro();
  return (
    <Modal animation={false} show={show} onHide={onHide} centered aria-labelledby="upgrade-dialog-title">
      {offersPro ? (
        <Offer feature={feature} onHide={onHide} />
      ) : (
        <>
          <DialogHeader
            title={t`Not available on this site`}
            titleId="upgrade-dialog-title"
            onClose={onHide}
          />
          <Modal.Body>
            <p className="mb-0">
              <Trans>{feature} is a Pro feature, and this site does not offer Pro.</Trans>
            </p>
          </Modal.Body>
          <Modal.Footer>
            <Button look="primary" onClick={onHide}>
              <Trans>OK</Trans>
            </Button>
          </Modal.Footer>
        </>
      )}
    </Modal>
  );
}

function Offer({ feature, onHide }: { feature: string; onHide: () => void }) {
  const navigate = useNavigate();
  const addsTax = useAddsTax();
  const upgrade = () => {
    onHide();
    navigate('/upgrade');
  };
  return (
    <>
      <DialogHeader title={t`Upgrade to Pro`} titleId="upgrade-dialog-title" onClose={onHide} />
      <Modal.Body>
        <p>
          <Trans>{feature} is a Pro feature. Upgrade to unlock unlimited case tracking and automation.</Trans>
        </p>
        <BenefitList benefits={PRO_BENEFITS} />
        <p className="plan-price">
          <strong>{proPrice(addsTax)}</strong>
          <span>
            <Trans>Cancel anytime</Trans>
          </span>
        </p>
      </Modal.Body>
      <Modal.Footer>
        <Button look="secondary" onClick={onHide}>
          <Trans>Maybe Later</Trans>
        </Button>
        <Button look="primary" onClick={upgrade}>
          <Trans>Upgrade to Pro</Trans>
        </Button>
      </Modal.Footer>
    </>
  );
}

/** Returns the state of an upgrade dialog: `ask` opens it for a feature, `dialog` is what to hand to it. */
export function useUpgradePrompt() {
  // The feature outlives the closing, so that the words don't change while the dialog fades out.
  const [{ feature, show }, setPrompt] = useState({ feature: '', show: false });
  return {
    ask: (wanted: string) => setPrompt({ feature: wanted, show: true }),
    dialog: { feature, show, onHide: () => setPrompt({ feature, show: false }) },
  };
}
