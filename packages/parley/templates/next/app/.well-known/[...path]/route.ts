import { a2aNext } from 'parley-a2a/next';
import { server } from '../../../a2a.ts';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export const { GET, HEAD, POST, DELETE, OPTIONS } = a2aNext(server);
