import { describeBusContract } from '../bus-contract.ts';
import { createKafkaHarness } from './kafka-harness.ts';

describeBusContract('kafka', createKafkaHarness);
