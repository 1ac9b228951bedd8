import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { SurveyDialog } from '../surveys/survey-dialog.tsx';

/** A survey as users see it; nothing that is entered goes anywhere. */
export function SurveyPreview({ item, onClose }: { item: AdminSurvey; onClose: () => void }) {
  const toast = useToast();
  return (
    <SurveyDialog
      pending={item}
      isSubmitting={false}
      onSubmit={() => {
        toast({ title: 'Preview', description: 'This was a preview. Nothing was sent.' });
        onClose();
      }}
      onSkip={onClose}
    />
  );
}
