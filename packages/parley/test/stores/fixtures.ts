export * from '../../src/testing/store-contract/fixtures.ts';
