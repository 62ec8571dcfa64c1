import { describePostgres } from './contract.ts';

describePostgres('session');
