import test from 'node:test';
import { sqliteStore } from '@pay-button/server-helper';
import { storeConformance } from '@pay-button/server-helper/testing';
import { LocalCounters } from './local-counters.ts';

const store = new LocalCounters<unknown>(sqliteStore({ file: ':memory:' }));
test.before(() => store.open('staging/default'));
test.after(() => store.close());

for (const { name, check } of storeConformance) void test(name, () => check(store));
