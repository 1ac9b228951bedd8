import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import Modal from 'react-bootstrap/Modal';
import { useNavigate } from 'react-router-dom';
import { PRO_PRICE } from '../config/product.ts';
import { DialogHeader } from './dialog-header.tsx';
import { Icon } from './icon.tsx';
import { keepTabInside } from './keep-tab-inside.ts';

const BENEFITS = [
  `Bulk search up to ${BULK_SEARCH_MAX} cases at once`,
  'Unlimited saved cases',
  'Automated daily, weekly, or monthly monitoring',
  'Instant status change notifications',
  'Priority support',
];

interface UpgradeDialogProps {
  /** What the person wanted to do, as it begins the sentence: 'Bulk Search'. */
  feature: string;
  show: boolean;
  onHide: () => void;
}

/** Says that a feature belongs to Pro and offers the way to it; closing it changes nothing. */
export function UpgradeDialog({ feature, show, onHide }: UpgradeDialogProps) {
  const navigate = useNavigate();
  const upgrade = () => {
    onHide();
    navigate('/upgrade');
  };

  return (
    <Modal
      show={show}
      onHide={onHide}
      centered
      onKeyDown={keepTabInside}
      aria-labelledby="upgrade-dialog-title"
    >
      <DialogHeader title="Upgrade to Pro" titleId="upgrade-dialog-title" onClose={onHide} />
      <Modal.Body>
        <p>{feature} is a Pro feature. Upgrade to unlock unlimited case tracking and automation.</p>
        <ul className="check-list">
          {BENEFITS.map((benefit) => (
            <li key={benefit}>
              <Icon name="check" />
              {benefit}
            </li>
          ))}
        </ul>
        <p className="plan-price">
          <strong>{PRO_PRICE}</strong>
          <span>Cancel anytime</span>
        </p>
      </Modal.Body>
      <Modal.Footer>
        <button type="button" className="btn btn-outline-secondary" onClick={onHide}>
          Maybe Later
        </button>
        <button type="button" className="btn btn-primary" onClick={upgrade}>
          Upgrade to Pro
        </button>
      </Modal.Footer>
    </Modal>
  );
}
