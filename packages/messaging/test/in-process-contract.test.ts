import { describeBusContract } from './bus-contract.ts';
import { createInProcessHarness } from './in-process-harness.ts';

describeBusContract('in-process', createInProcessHarness);
