import { useState } from 'react';

/** Says in an editor that the value was changed in another tab or on another device since the editor was opened. */
export function ChangedElsewhere({ value }: { value: string }) {
  const [opened] = useState(value);
  return (
    <p className="changed-elsewhere" role="status">
      {value !== opened &&
        `Changed in another tab or on another device to ${value === '' ? 'nothing' : `“${value}”`}. Saving replaces that.`}
    </p>
  );
}
