// `npm test`: sets up what is missing, then runs the checks on the pinned Node. Ends with `N passed, N failed`.
// The first word is a command (`check`, `test`, `all`, `nightly`) or the words are names of stages: CONTRIBUTING.md.
import { setUpAndRun } from './run-pinned-node.mjs';

await setUpAndRun('scripts/runner/main.ts', {
  onSetupError: (message) => console.error(`${message}\n\n0 passed, 1 failed`),
});
