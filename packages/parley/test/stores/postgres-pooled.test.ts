import { describePostgres } from './postgres-contract.ts';

// As behind a pooler that hands out its connections for one transaction each.
describePostgres('transaction');
