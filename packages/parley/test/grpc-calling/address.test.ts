import { describe, expect, it } from 'vitest';
import { grpcAddress, isOfSameHost, targetOf } from '../../src/bindings/grpc/calling/address.ts';
import { isGrpcPlace } from '../../src/cli/connect/own-origin.ts';
import type { AgentInterface } from '../../src/model/card.ts';

const at = (url: string): AgentInterface => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });

describe('an address of gRPC', () => {
  it.each([
    ['agent.example:50051', 'http://agent.example:50051'],
    ['agent.example:443', 'https://agent.example'],
    ['agent.example', 'https://agent.example'],
    ['127.0.0.1:7', 'http://127.0.0.1:7'],
    ['[::1]:7', 'http://[::1]:7'],
    ['https://agent.example', 'https://agent.example'],
    ['https://agent.example:8443/path', 'https://agent.example:8443'],
    ['http://agent.example:50051', 'http://agent.example:50051'],
    ['grpc://agent.example:50051', 'http://agent.example:50051'],
    ['GRPCS://agent.example:50051', 'https://agent.example:50051'],
    [' agent.example:50051 ', 'http://agent.example:50051'],
  ])('%s is called at %s', (url, address) => {
    expect(grpcAddress(url, [], undefined)).toBe(address);
  });

  it.each([
    '',
    'agent.example:',
    'agent.example:port',
    'agent.example:99999',
    'a b:1',
    '/a',
    'me@host:1',
  ])('is not "%s"', (url) => {
    expect(grpcAddress(url, [], undefined)).toBeUndefined();
  });

  it.each(['unix:///run/agent', 'ftp://agent.example', 'https://me:secret@agent.example'])('is not %s', (url) => {
    expect(grpcAddress(url, [], undefined)).toBeUndefined();
  });

  it('without a scheme is called over TLS where all other interfaces of the card are, or where the user says so', () => {
    const secure = [at('https://agent.example/rpc'), at('agent.example:50051')];
    const mixed = [...secure, at('http://agent.example/rest')];
    expect(grpcAddress('agent.example:50051', secure, undefined)).toBe('https://agent.example:50051');
    expect(grpcAddress('agent.example:50051', mixed, undefined)).toBe('http://agent.example:50051');
    expect(grpcAddress('agent.example:50051', [], true)).toBe('https://agent.example:50051');
    expect(grpcAddress('agent.example:443', secure, false)).toBe('http://agent.example:443');
    expect(grpcAddress('http://agent.example:50051', secure, true)).toBe('http://agent.example:50051');
  });

  it('has the port of its scheme where it names none', () => {
    expect(targetOf('https://agent.example')).toBe('dns:agent.example:443');
    expect(targetOf('http://agent.example')).toBe('dns:agent.example:80');
    expect(targetOf('http://[::1]:7')).toBe('dns:[::1]:7');
  });

  it('may see what is meant for its host, where it is no less secure', () => {
    const other = new URL('http://agent.example:50051');
    expect(isOfSameHost(other, 'http://agent.example')).toBe(true);
    expect(isOfSameHost(other, 'https://agent.example')).toBe(false);
    expect(isOfSameHost(new URL('https://agent.example:50051'), 'https://agent.example')).toBe(true);
    expect(isOfSameHost(new URL('https://evil.example:50051'), 'https://agent.example')).toBe(false);
    expect(isOfSameHost(new URL('https://agent.example.evil.example'), 'https://agent.example')).toBe(false);
    expect(isGrpcPlace('http://127.0.0.1:50051', ['http://localhost:4000'])).toBe(true);
    expect(isGrpcPlace('http://agent.example:50051', ['https://agent.example'])).toBe(false);
    expect(isGrpcPlace('http://elsewhere.example:50051', ['http://agent.example'])).toBe(false);
  });
});
