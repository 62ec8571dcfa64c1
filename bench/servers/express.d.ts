/** The little of Express that the benchmark uses; the package brings no types. */
declare module 'express' {
  import type { Server } from 'node:http';

  export type RequestHandler = object;
  export type Request = object;

  interface Application {
    use(path: string, handler: RequestHandler): void;
    listen(port: number, host: string, callback: () => void): Server;
  }

  export default function express(): Application;
}
