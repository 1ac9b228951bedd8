import './admin.scss';
import './admin-table.scss';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createAdminClient } from '../../api/admin-client.ts';
import { useAdminLogOut } from '../../api/admin-session.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { AdminGate } from './admin-gate.tsx';
import { AdminPanel } from './admin-panel.tsx';
import { EndedGate } from './ended-gate.tsx';
import { useIdleLock } from './use-idle-lock.ts';

interface Opening {
  client: QueryClient;
  idleSeconds: number;
  /** The session is over: the passcode is asked for again, over what was being done. */
  hasEnded: boolean;
}

/** The admin area behind its passcode. A reload locks it; an ended session keeps what was being typed. */
export function AdminPage() {
  const [opening, setOpening] = useState<Opening | null>(null);
  const end = useCallback(
    () => setOpening((now) => (now === null || now.hasEnded ? now : { ...now, hasEnded: true })),
    [],
  );
  const { mutateAsync: logOut } = useAdminLogOut();
  const toast = useToast();

  if (opening === null) {
    const open = (idleSeconds: number) =>
      setOpening({ client: createAdminClient(end), idleSeconds, hasEnded: false });
    return <AdminGate onOpen={open} />;
  }

  const { client, idleSeconds, hasEnded } = opening;
  const reopen = (seconds: number) => {
    setOpening({ client, idleSeconds: seconds, hasEnded: false });
    void client.invalidateQueries();
  };
  const lock = async () => {
    setOpening(null);
    client.clear();
    try {
      await logOut();
    } catch (error) {
      toast({
        title: 'Error',
        description: 'The server could not be told. The admin session ends by itself.',
        variant: 'destructive',
        error,
      });
    }
  };

  return (
    <QueryClientProvider client={client}>
      <IdleLock seconds={idleSeconds} isOn={!hasEnded} onIdle={end} />
      <AdminPanel onLock={() => void lock()} />
      {hasEnded && <EndedGate onOpen={reopen} onLeave={() => void lock()} />}
    </QueryClientProvider>
  );
}

interface IdleLockProps {
  seconds: number;
  isOn: boolean;
  onIdle: () => void;
}

function IdleLock({ seconds, isOn, onIdle }: IdleLockProps) {
  const { mutate: logOut } = useAdminLogOut();
  useIdleLock(isOn ? seconds * 1000 : null, () => {
    onIdle();
    logOut();
  });
  return null;
}
