import { describe, expect, it } from 'vitest';
import { type Detection, type DialectSigns, detectDialect } from '../../src/dialects/detect.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { v1_0 } from '../../src/dialects/v1_0/index.ts';
import { refusalOf } from './refusals.ts';

const older: Dialect = { ...v1_0, name: 'older', version: '0.3', methods: new Map([['message/send', 'sendMessage']]) };

function detect(signs: Partial<DialectSigns>, lenient = true, offered?: readonly Dialect[]): Detection {
  const none: DialectSigns = { headerVersion: undefined, queryVersion: undefined, method: undefined, params: {} };
  return detectDialect({ ...none, ...signs }, offered === undefined ? { lenient } : { lenient, offered });
}

function dialectOf(...given: Parameters<typeof detect>): string {
  return detect(...given).dialect.name;
}

function codeOf(...given: Parameters<typeof detect>): string {
  return refusalOf(() => detect(...given)).code;
}

describe('the dialect of a request', () => {
  it('is that of its version, patch digits ignored [rule:version.patch-ignored]', () => {
    for (const headerVersion of ['1.0', '1.0.0', '1.0.1', '1.0.999', ' 1.0 ']) {
      expect(dialectOf({ headerVersion, method: 'SendMessage' }, false)).toBe('v1_0');
    }
  });

  it('is refused when the version is not offered or malformed [rule:version.unsupported]', () => {
    const versions = [
      '99.0',
      '0.3',
      '1.1',
      '10.0',
      '2',
      '1',
      'v1.0',
      '1.0-beta',
      '1.0.',
      '1.0.1.2',
      'latest',
      '1.0, 1.0',
    ];
    for (const headerVersion of versions) {
      const error = refusalOf(() => detect({ headerVersion, method: 'SendMessage' }));
      expect(error.code).toBe('VERSION_NOT_SUPPORTED');
      expect(error.metadata).toEqual({ supported: '1.0', requested: headerVersion });
      expect(error.message).toContain(headerVersion);
      expect(error.message).toContain('supported: 1.0');
    }
  });

  it('quotes no more than a piece of a long version', () => {
    const error = refusalOf(() => detect({ queryVersion: '9'.repeat(10_000) }));
    expect(error.message.length).toBeLessThan(120);
  });

  it('may be named in the query, where the header wins [rule:version.query-parameter]', () => {
    expect(dialectOf({ queryVersion: '1.0' }, false)).toBe('v1_0');
    expect(dialectOf({ headerVersion: '', queryVersion: '1.0' }, false)).toBe('v1_0');
    expect(dialectOf({ headerVersion: '1.0', queryVersion: '99.0' }, false)).toBe('v1_0');
    expect(codeOf({ headerVersion: '99.0', queryVersion: '1.0' }, false)).toBe('VERSION_NOT_SUPPORTED');
  });

  it('is 0.3 where the version is missing or empty [rule:version.missing-is-03]', () => {
    for (const headerVersion of [undefined, '', '  ']) {
      expect(dialectOf({ headerVersion, method: 'message/send' }, false, [v1_0, older])).toBe('older');
      const error = refusalOf(() => detect({ headerVersion, method: 'message/send' }));
      expect(error.metadata).toEqual({ supported: '1.0', requested: '0.3' });
    }
  });

  it('is 1.0 for other methods without a version, when lenient [rule:version.detect-lenient]', () => {
    for (const method of ['SendMessage', 'GetTask', 'NoSuchMethod', undefined]) {
      expect(dialectOf({ method })).toBe('v1_0');
      expect(dialectOf({ method }, true, [v1_0, older])).toBe('v1_0');
      expect(codeOf({ method }, false)).toBe('VERSION_NOT_SUPPORTED');
      expect(codeOf({ method }, false, [v1_0, older])).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it('is decided by the version, whatever the method', () => {
    expect(dialectOf({ headerVersion: '1.0', method: 'message/send' }, true, [v1_0, older])).toBe('v1_0');
    expect(dialectOf({ headerVersion: '0.3', method: 'SendMessage' }, true, [v1_0, older])).toBe('older');
  });

  it('comes with a reason that is safe in a header', () => {
    expect(detect({ headerVersion: '1.0.1' }).reason).toBe('header A2A-Version 1.0');
    expect(detect({ queryVersion: '1.0' }).reason).toBe('query A2A-Version 1.0');
    expect(detect({ method: 'SendMessage' }).reason).toBe('no A2A-Version, no slash method, lenient');
    expect(detect({ method: 'message/send' }, true, [v1_0, older]).reason).toBe('no A2A-Version, slash method');
  });
});
