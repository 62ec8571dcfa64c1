import { describe, expect, it } from 'vitest';
import {
  type Detection,
  detectDialect,
  detectRestDialect,
  OFFERED_DIALECTS,
  type RestSigns,
  type RpcSigns,
} from '../../src/dialects/detect.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { v0_3 } from '../../src/dialects/v0_3/index.ts';
import { v1_0 } from '../../src/dialects/v1_0/index.ts';
import { refusalOf } from './support/refusals.ts';

function detect(signs: Partial<RpcSigns>, lenient = true, offered?: readonly Dialect[]): Detection {
  const none: RpcSigns = { headerVersion: undefined, queryVersion: undefined, method: undefined, params: {} };
  return detectDialect({ ...none, ...signs }, offered === undefined ? { lenient } : { lenient, offered });
}

function dialectOf(...given: Parameters<typeof detect>): string {
  return detect(...given).dialect.name;
}

function codeOf(...given: Parameters<typeof detect>): string {
  return refusalOf(() => detect(...given)).code;
}

describe('the dialect of a request', () => {
  it('is one of those that are offered, newest first', () => {
    expect(OFFERED_DIALECTS.map(({ version }) => version)).toEqual(['1.0', '0.3']);
  });

  it('is that of its version, patch digits ignored [rule:version.patch-ignored]', () => {
    for (const headerVersion of ['1.0', '1.0.0', '1.0.1', '1.0.999', ' 1.0 ']) {
      expect(dialectOf({ headerVersion, method: 'SendMessage' }, false)).toBe('v1_0');
    }
    for (const headerVersion of ['0.3', '0.3.0', '0.3.7']) {
      expect(dialectOf({ headerVersion, method: 'message/send' }, false)).toBe('v0_3');
    }
  });

  it('is refused when the version is not offered or malformed [rule:version.unsupported]', () => {
    const versions = [
      '99.0',
      '0.2.6',
      '0.30',
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
      expect(error.metadata).toEqual({ supported: '1.0, 0.3', requested: headerVersion });
      expect(error.message).toContain(headerVersion);
      expect(error.message).toContain('supported: 1.0, 0.3');
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
      expect(dialectOf({ headerVersion, method: 'message/send' }, false)).toBe('v0_3');
      const error = refusalOf(() => detect({ headerVersion, method: 'message/send' }, true, [v1_0]));
      expect(error.metadata).toEqual({ supported: '1.0', requested: '0.3' });
    }
  });

  it('is 0.3 for slash methods without a version or with its own [rule:version.detect-slash]', () => {
    for (const method of [...v0_3.methods.keys(), 'tasks/list']) {
      for (const headerVersion of [undefined, '0.3', '0.3.0']) {
        for (const lenient of [true, false]) expect(dialectOf({ headerVersion, method }, lenient)).toBe('v0_3');
      }
    }
  });

  it('is 1.0 for other methods without a version, when lenient [rule:version.detect-lenient]', () => {
    for (const method of ['SendMessage', 'GetTask', 'NoSuchMethod', undefined]) {
      expect(dialectOf({ method })).toBe('v1_0');
      expect(codeOf({ method }, false)).toBe('VERSION_NOT_SUPPORTED');
      expect(codeOf({ method }, true, [v0_3])).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it('is decided by the version, whatever the method [rule:version.header-over-method]', () => {
    const { dialect: newer } = detect({ headerVersion: '1.0', method: 'message/send' });
    expect(newer.name).toBe('v1_0');
    expect(newer.methods.has('message/send')).toBe(false);
    const { dialect: older } = detect({ headerVersion: '0.3', method: 'SendMessage' });
    expect(older.name).toBe('v0_3');
    expect(older.methods.has('SendMessage')).toBe(false);
  });

  it('comes with a reason that is safe in a header', () => {
    expect(detect({ headerVersion: '1.0.1' }).reason).toBe('header A2A-Version 1.0');
    expect(detect({ queryVersion: '1.0' }).reason).toBe('query A2A-Version 1.0');
    expect(detect({ method: 'SendMessage' }).reason).toBe('no A2A-Version, no slash method, lenient');
    expect(detect({ method: 'message/send' }).reason).toBe('no A2A-Version, slash method');
  });
});

describe('the dialect of a REST request', () => {
  function detectRest(signs: Partial<RestSigns>, lenient = true): Detection {
    const none: RestSigns = { headerVersion: undefined, queryVersion: undefined, prefix: undefined };
    return detectRestDialect({ ...none, ...signs }, { lenient });
  }

  it('is that of its version, whatever the path', () => {
    for (const prefix of ['v1', 'tasks', 'message:send', undefined]) {
      expect(detectRest({ headerVersion: '1.0', prefix }, false).dialect).toBe(v1_0);
      expect(detectRest({ headerVersion: '0.3.0', prefix }, false).dialect).toBe(v0_3);
      expect(detectRest({ queryVersion: '0.3', prefix }, false).reason).toBe('query A2A-Version 0.3');
      expect(refusalOf(() => detectRest({ headerVersion: '99.0', prefix })).code).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it('is 0.3 below v1 without a version, and 1.0 elsewhere when lenient [rule:version.rest-prefix]', () => {
    for (const lenient of [true, false]) {
      expect(detectRest({ prefix: 'v1' }, lenient)).toEqual({
        dialect: v0_3,
        reason: 'no A2A-Version, path below /v1',
      });
    }
    for (const prefix of ['message:send', 'tasks', 'acme', 'V1', '', undefined]) {
      expect(detectRest({ prefix })).toEqual({ dialect: v1_0, reason: 'no A2A-Version, no path prefix, lenient' });
      const error = refusalOf(() => detectRest({ prefix }, false));
      expect(error.code).toBe('VERSION_NOT_SUPPORTED');
      expect(error.metadata).toEqual({ supported: '1.0, 0.3', requested: '0.3' });
    }
  });
});
