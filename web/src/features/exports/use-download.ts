import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import { saveFile } from '../../lib/save-file.ts';
import type { Progress } from './export-file.ts';

type State =
  | { kind: 'ready' | 'canceled' }
  | { kind: 'loading'; progress: Progress }
  | { kind: 'done'; name: string }
  | { kind: 'failed'; text: string; error: unknown };

type Load = (
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
) => Promise<{ name: string; file: Blob }>;

/** Loads a file with its progress, saves it, and can be canceled; leaving the screen cancels it too. */
export function useDownload() {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (load: Load) => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'loading', progress: { done: 0, total: 0 } });
    try {
      const { name, file } = await load(controller.signal, (progress) =>
        setState({ kind: 'loading', progress }),
      );
      saveFile(file, name);
      setState({ kind: 'done', name });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'canceled' });
      else {
        const text = failureText(
          error,
          t`The download stopped before it was complete. Check your connection and try again.`,
        );
        setState({ kind: 'failed', text, error });
      }
    } finally {
      running.current = undefined;
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}

export type DownloadState = State;
