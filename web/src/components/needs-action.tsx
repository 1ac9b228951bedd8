import { lazy, Suspense } from 'react';

const NeedsActionMark = lazy(async () => {
  try {
    return { default: (await import('./needs-action-mark.tsx')).NeedsActionMark };
  } catch {
    return { default: NoMark };
  }
});
const NoMark = (_status: { status: string | null }) => null;

/** Marks a status that asks something of the applicant, as soon as the guide is loaded, which is larger than the first screen allows. */
export function NeedsAction({ status }: { status: string | null }) {
  return (
    <Suspense fallback={null}>
      <NeedsActionMark status={status} />
    </Suspense>
  );
}
