import { globSync, readFileSync } from 'node:fs';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { expect, it } from 'vitest';
import { numericCodes as knownToSandbox } from '../../packages/gateway-sandbox/src/domain/requests.ts';
import { numericCodes } from '../../packages/server-helper/src/currencies.ts';
import { buildFidelity, profilePlaces, profileSchema, profileSchemaCopies } from './fidelity.ts';

const { sources, behaviours } = buildFidelity();
const read = (path: URL | string) => readFileSync(path, 'utf8');

it('every open point can be read otherwise by a policy or the profile, or says why not', () => {
  for (const [id, { policies, profile, whyNot, tests, tier }] of Object.entries(sources)) {
    const ways = [...policies, ...profile];
    expect([id, ways.length > 0 || whyNot !== null]).toEqual([id, true]);
    expect([id, ways.length === 0 || tests.length > 0]).toEqual([id, true]);
    expect([id, tier]).toEqual([id, expect.stringMatching(/^(contradiction|analogue|assumed)$/)]);
  }
  expect(Object.keys(sources)).toHaveLength(7 + 25);
});

it('the open points name each policy of the sandbox, and no other', async () => {
  const sandbox = await startSandbox({ port: 0 });
  const answer = await fetch(`${sandbox.url}/_sandbox/v1/policy`);
  const { known } = (await answer.json()) as { known: string[] };
  await sandbox.close();
  const named = new Set(Object.values(sources).flatMap(({ policies }) => policies));
  expect([...named].toSorted()).toEqual(known.toSorted());
});

it('the open points name places that a profile has', () => {
  const named = Object.values(sources).flatMap(({ profile }) => profile);
  expect(profilePlaces()).toEqual(expect.arrayContaining(named));
});

it('the package carries the schema of profiles as it is (npm run tool -- fidelity)', () => {
  for (const copy of profileSchemaCopies) expect(read(copy)).toBe(read(profileSchema));
});

it('the sandbox takes every currency of the client’s list, which it copies (npm run tool -- fidelity)', () => {
  expect(Object.fromEntries(knownToSandbox)).toEqual(numericCodes);
});

it('an answer’s tier is the one of its open point, in the contract and in the sandbox', () => {
  for (const { id, tier, source } of behaviours.filter((one) => one.source in sources)) {
    expect([id, tier]).toEqual([id, sources[source]?.tier]);
  }
  const cwd = new URL('../../', import.meta.url);
  const exclude = ['**/*.test.ts'];
  const files = globSync('packages/gateway-sandbox/src/**/*.ts', { cwd, exclude });
  const label = /'(spec|contradiction|analogue|assumed)(?: (§[\d.]+|[XN]\d+))?'/g;
  const labels = files.flatMap((file) => {
    const found = [...read(new URL(file, cwd)).matchAll(label)];
    return found.map(([, tier, source]) => ({ file, tier, source }));
  });
  const wrong = labels.filter(({ file, tier, source }) => {
    if (source === undefined) return !/inspector-routes|package-files/.test(file);
    return source.startsWith('§') ? tier !== 'spec' : sources[source]?.tier !== tier;
  });
  expect(wrong).toEqual([]);
  expect(labels.length).toBeGreaterThan(30);
});
