import { A2AClient } from 'parley-a2a';
import { type ClientOptions, A2AClient as PlainClient } from 'parley-a2a/client';
import { describe, it } from 'vitest';
import { compiles } from './compiles.ts';

// What these tests hold is checked by `tsc`; they run only to be counted.

describe('trust', () => {
  it('is an option of the client of parley-a2a alone', () => {
    compiles(() => {
      const options = { trust: { jwksUrl: 'https://example.com/keys.json' } };
      new A2AClient('https://example.com', options);
      // @ts-expect-error the other client would not verify any card
      new PlainClient('https://example.com', options);
      // @ts-expect-error nor would a client that is made with its options
      const plain: ClientOptions = options;
      return new A2AClient('https://example.com', plain);
    });
  });

  it('does not keep the options of one client from the other', () => {
    compiles((plain: ClientOptions) => {
      new PlainClient('https://example.com', plain);
      return A2AClient.connect('https://example.com', plain);
    });
  });
});
