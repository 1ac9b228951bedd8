import type { SavedCase } from '@casewatch/contracts/cases';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { useOffline } from '../../api/offline.ts';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { serverText } from '../../lib/server-texts.ts';
import { type CaseRow, checkDetails } from './case-columns.tsx';
import { NicknameEditor } from './nickname-field.tsx';
import { SNOOZE_CHOICES, useSnooze } from './snooze-field.tsx';
import { TagEditor } from './tag-field.tsx';
import { useCaseChanges } from './use-case-changes.ts';
import { useCaseRemoval } from './use-case-removal.tsx';

/** What a row was asked for, and the button that gets the focus back. */
export interface AskedRow {
  row: CaseRow;
  what: 'menu' | 'nickname' | 'tags';
  button: HTMLElement;
}

interface CaseRowActionsProps {
  asked: AskedRow | undefined;
  onAsk: (asked: AskedRow | undefined) => void;
  onRemoved: (savedCase: SavedCase) => void;
  /** The button that asked is gone: its case was removed, or its row scrolled far out of view. */
  onFocusLost: () => void;
}

/** Renders the menu of a row, and what it opens: one for all rows, so that a row is no more than its cells. */
export function CaseRowActions({ asked, onAsk, onRemoved, onFocusLost }: CaseRowActionsProps) {
  const removal = useCaseRemoval({ onRemoved, onExited: onFocusLost });
  const { check } = useCaseChanges();
  const toast = useToast();
  const checkNow = async ({ receiptNumber }: CaseRow) => {
    toast({ title: t`Checking...`, description: receiptNumber });
    const [result] = (await check([receiptNumber])) ?? [];
    if (result?.outcome === 'refused')
      toast({
        title: t`Error`,
        description: `${receiptNumber}: ${serverText(result)}`,
        agencyMessage: result.agencyMessage,
        variant: 'destructive',
      });
    else if (result) toast({ title: t`Checked`, description: receiptNumber });
  };
  const close = () => {
    onAsk(undefined);
    if (asked && !asked.button.isConnected) onFocusLost();
  };
  return (
    <>
      {asked?.what === 'menu' && (
        <RowMenu
          asked={asked}
          onClose={close}
          onCheck={() => void checkNow(asked.row)}
          onEdit={(what) => onAsk({ ...asked, what })}
          onRemove={() => removal.ask(asked.row)}
        />
      )}
      {asked && asked.what !== 'menu' && <EditDialog row={asked.row} what={asked.what} onHide={close} />}
      {removal.dialog}
    </>
  );
}

interface RowMenuProps {
  asked: AskedRow;
  onClose: () => void;
  onCheck: () => void;
  onEdit: (what: 'nickname' | 'tags') => void;
  onRemove: () => void;
}

function RowMenu({ asked: { row, button }, onClose, onCheck, onEdit, onRemove }: RowMenuProps) {
  const isOffline = useOffline();
  const snooze = useSnooze(row);
  const then = (run: () => void) => () => {
    // What opens next gives the focus back to where it was: the row's button.
    button.focus({ preventScroll: true });
    onClose();
    run();
  };
  return (
    <Menu anchor={button} label={t`Actions for ${row.receiptNumber}`} onClose={onClose}>
      <div className="menu-note" role="presentation">
        {checkDetails(row).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
      {!isOffline && (
        <MenuItem onChoose={then(onCheck)}>
          <Icon name="refresh" size={16} />
          <Trans>Check now</Trans>
        </MenuItem>
      )}
      <MenuItem onChoose={then(() => onEdit('nickname'))}>
        <Icon name="pencil" size={16} />
        <Trans>Edit nickname</Trans>
      </MenuItem>
      {!isOffline && (
        <MenuItem onChoose={then(() => onEdit('tags'))}>
          <Icon name="bookmark" size={16} />
          <Trans>Edit tags</Trans>
        </MenuItem>
      )}
      {row.monitoringFrequency !== 'none' && !isOffline && (
        // biome-ignore lint/a11y/useSemanticElements: a field set is no part of a menu.
        <div className="menu-group" role="group" aria-label={t`Snooze alerts`}>
          <p aria-hidden="true">
            <Trans>Snooze alerts</Trans>
          </p>
          {SNOOZE_CHOICES.map(([days, name]) => (
            <MenuItem key={days} onChoose={then(() => void snooze.choose(String(days)))}>
              <Icon name="bell" size={16} />
              {i18n._(name)}
            </MenuItem>
          ))}
          {snooze.isSnoozed && row.snoozedUntil && (
            <MenuItem onChoose={then(() => void snooze.choose('0'))}>
              <Icon name="x" size={16} />
              <Trans>Don’t snooze (until {formatDay(row.snoozedUntil)})</Trans>
            </MenuItem>
          )}
        </div>
      )}
      <MenuItem isDanger onChoose={then(onRemove)}>
        <Icon name="trash" size={16} />
        <Trans>Remove</Trans>
      </MenuItem>
    </Menu>
  );
}

function EditDialog({ row, what, onHide }: { row: CaseRow; what: 'nickname' | 'tags'; onHide: () => void }) {
  const [show, setShow] = useState(true);
  const close = () => setShow(false);
  return (
    <Modal
      animation={false}
      show={show}
      onHide={close}
      onExited={onHide}
      centered
      aria-labelledby="edit-case"
    >
      <DialogHeader
        titleId="edit-case"
        title={what === 'nickname' ? t`Nickname of ${row.receiptNumber}` : t`Tags of ${row.receiptNumber}`}
        onClose={close}
      />
      <Modal.Body>
        {what === 'nickname' ? (
          <NicknameEditor savedCase={row} onClose={close} />
        ) : (
          <TagEditor savedCase={row} onClose={close} />
        )}
      </Modal.Body>
    </Modal>
  );
}
