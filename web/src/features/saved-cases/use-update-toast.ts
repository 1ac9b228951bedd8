import { useToast } from '../../components/toast/toast-provider.tsx';

/** Says how a change of a saved case went. */
export function useUpdateToast() {
  const toast = useToast();
  return {
    updated: () => toast({ title: 'Updated', description: 'Case settings have been updated' }),
    failed: () =>
      toast({
        title: 'Error',
        description: 'Failed to update case',
        variant: 'destructive',
      }),
  };
}
