import { adapterContract } from '../contract.ts';
import { fetchHost } from '../hosts/fetch.ts';

adapterContract(fetchHost);
