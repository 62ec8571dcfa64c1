export { rxjs } from './v0_3/rxjs/index.ts';
