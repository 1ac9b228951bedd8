import { describeBusContract } from '../events/bus-contract.ts';
import { createKafkaHarness } from './kafka-harness.ts';

describeBusContract('kafka', createKafkaHarness);
