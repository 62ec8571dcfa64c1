import { adapterContract } from '../contract.ts';
import { listenHost, middlewareHost, nodeHost } from '../hosts/node.ts';

adapterContract(listenHost);
adapterContract(nodeHost);
adapterContract(middlewareHost);
