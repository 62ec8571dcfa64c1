import { type PlainRestWriters, restWriters } from '../../wire/rest-calls.ts';
import { PATHS } from '../rest.ts';
import { params } from './request-writers.ts';

/** The same over HTTP+JSON: what the path says is not repeated. */
export const restRequestWriters: PlainRestWriters = restWriters(PATHS, params);
