import './offline.scss';
import type { User } from '@casewatch/contracts/identity';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepAnswers } from '../../api/kept-data.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { useReconnect } from './use-reconnect.ts';

/** Renders what lets the signed-in screens work without a connection: keeps their answers, says what is shown, sends what waits. */
export function OfflineParts({ user }: { user: User }) {
  const client = useQueryClient();
  useEffect(() => keepAnswers(client, user), [client, user]);
  // The query library takes every page for online when it opens.
  useEffect(() => onlineManager.setOnline(navigator.onLine), []);
  useReconnect();
  return <OfflineBanner />;
}
