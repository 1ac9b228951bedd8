import { t } from '@lingui/core/macro';
import { useState } from 'react';

/** Says in an editor that the value was changed in another tab or on another device since the editor was opened. */
export function ChangedElsewhere({ value }: { value: string }) {
  const [opened] = useState(value);
  return (
    <p className="changed-elsewhere" role="status">
      {value !== opened &&
        (value === ''
          ? t`Changed in another tab or on another device to nothing. Saving replaces that.`
          : t`Changed in another tab or on another device to “${value}”. Saving replaces that.`)}
    </p>
  );
}
