import test from 'node:test';
import { sqliteStore } from '@pay-button/server-helper';
import { storeConformance } from '@pay-button/server-helper/testing';
import { localCounters } from './local-counters.ts';

const store = localCounters<unknown>(sqliteStore({ file: ':memory:' }));
test.before(() => store.open('staging/default'));
test.after(() => store.close());

for (const { name, check } of storeConformance) void test(name, () => check(store));
