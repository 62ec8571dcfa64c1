import { describePostgres } from './postgres-contract.ts';

describePostgres('session');
