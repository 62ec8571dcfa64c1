/** Cases that gRPC has no place for though their requests can be carried, by the reason. A title may be the beginning of one. */
export const OF_HTTP: readonly { readonly reason: string; readonly titles: readonly string[] }[] = [
  {
    reason: 'It is about headers of HTTP',
    titles: [
      'reads a comma-separated list, spaces trimmed [rule:extension.list-syntax]',
      'is the only event of a stream where only that is accepted:',
    ],
  },
  {
    reason: 'It is about a status of HTTP; test/grpc/bounds.test.ts has that of gRPC',
    titles: ['refuse a body beyond the size limit, and only that [rule:security.limits]'],
  },
  {
    reason: 'It is about base64 and days in JSON: bytes are bytes and times are numbers in a message',
    titles: [
      '"aGk= " is refused [rule:parts.raw]',
      '"a Gk" is refused [rule:parts.raw]',
      '"aGk==" is refused [rule:parts.raw]',
      '"a===" is refused [rule:parts.raw]',
      '"====" is refused [rule:parts.raw]',
      '"+_+_" is refused [rule:parts.raw]',
      'refuse an unknown value of statusTimestampAfter: "2026-02-30T00:00:00Z" [rule:list.filters]',
    ],
  },
  {
    reason: 'A list without entries is not on the wire of protobuf',
    titles: ['have their real artifacts where it is [rule:list.artifacts-present]'],
  },
  {
    reason: 'It looks at a server that no socket leads to; calls of gRPC come from this machine',
    titles: [
      'is nobody without a name, unless anonymous is shared: private for undefined [rule:list.anonymous]',
      'is anybody on a server that only this machine reaches [rule:list.anonymous]',
    ],
  },
  {
    reason: 'What it writes fits into the buffers of a socket; test/grpc/bounds.test.ts writes more',
    titles: ['do not wait for one that never reads [rule:stream.slow-reader]'],
  },
];
