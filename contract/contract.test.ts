import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ContractDocument, missingTiers, readContractText } from './contract-document.ts';
import { bodyOf, operationVectors, phoneVectors, statusVectors } from './vectors.ts';

const text = readContractText();
const contract = new ContractDocument();
/** Quicker to change and to read again than the YAML. */
const json = JSON.stringify(contract.document);

/** The names of the specification's operations (§1); create-payment-link is there twice. */
const names = [
  'createPaymentLink',
  'retrieveStatus',
  'refund',
  'sale',
  'capture',
  'void',
  'chargeRecurring',
  'pollStatus',
  'listWebhooks',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'retrieveCredentials',
  'rotateApiKey',
  'listSdkTokens',
  'createSdkToken',
  'updateSdkToken',
];

/** A text with one piece changed; the piece must be there. */
function broken(whole: string, piece: string, replacement: string): string {
  expect(whole.includes(piece), piece).toBe(true);
  return whole.replace(piece, replacement);
}

describe('the document', () => {
  it('says of every operation, parameter, answer and field how firmly it is known', () => {
    expect(missingTiers(contract.document)).toEqual([]);
  });

  it.each([
    ['a field', '"format":"email","x-tier":"spec"', '"format":"email"', 'customerEmail'],
    ['an operation', '"x-tier":"contradiction","x-source":"X3"', '"x-source":"X3"', 'refund/post'],
    ['an answer', '"x-tier":"assumed","x-source":"N21","content"', '"content"', 'UnknownId'],
    ['an operation’s other name', ',"x-tier":"assumed","x-source":"N11"', '', 'x-also'],
    ['a parameter', '"x-source":"X1","schema"', '"schema"', 'parameters/1'],
    ['a tier that does not exist', '"contradiction"', '"guess"', 'status/get'],
    ['a source of another tier', '"x-source":"N20"', '"x-source":"§4.1"', 'customerPhone'],
  ])('is caught when %s does not say it rightly', (_what, piece, replacement, place) => {
    const missing = missingTiers(JSON.parse(broken(json, piece, replacement)));
    expect(missing).toEqual([expect.stringContaining(place)]);
  });

  it('names all seven contradictions, with the readings that it did not take', () => {
    const found = contract.document['x-contradictions'];
    expect(Object.keys(found)).toEqual(['X1', 'X2', 'X3', 'X4', 'X5', 'X6', 'X7']);
    expect(new Set(text.match(/(?<=x-source: )X\d+/g))).toEqual(new Set(Object.keys(found)));
    for (const { where, ours, alternatives } of Object.values(found)) {
      expect([where, ours, alternatives]).toEqual([
        expect.stringMatching(/^§/),
        expect.stringMatching(/./),
        expect.arrayContaining([expect.any(String)]),
      ]);
    }
  });

  it('describes every operation of the specification, in its section', () => {
    const sections = names.map((name) => contract.placeOf(name).section);
    expect(sections).toEqual(names.map((_, index) => `4.${index + 1}`));
  });

  it('holds a request of the wrong credential, or of both, to be faulty', () => {
    const { path } = contract.placeOf('listWebhooks');
    const request = { method: 'GET', path, query: new URLSearchParams(), body: undefined };
    const faults = (headers: Record<string, string>) =>
      contract.requestFaults('listWebhooks', { ...request, headers });
    const key = { 'x-api-key': 'key' };
    const bearer = { authorization: 'Bearer token' };
    expect(faults(bearer)).toEqual([]);
    expect([faults(key).length, faults({ ...key, ...bearer }).length]).toEqual([1, 1]);
  });
});

/** Every schema below a node, by its place. */
function schemasBelow(node: unknown, path: string): readonly (readonly [string, Schema])[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) =>
    schemasBelow(value, `${path}/${key.replaceAll('/', '~1')}`),
  );
  return [[path, node], ...below];
}

interface Schema {
  readonly default?: unknown;
  readonly type?: unknown;
  readonly items?: unknown;
  readonly minimum?: unknown;
  readonly example?: unknown;
}

describe('a tool that knows no more than JSON Schema', () => {
  const schemas = schemasBelow(contract.document, '');
  const amounts = schemas.filter(([path, { type }]) => /amount$/i.test(path) && type === 'number');
  // As such tools make it: without any option for floating point.
  const plain = new Ajv2020({ strict: false });
  addFormats.default(plain);
  plain.addSchema(contract.document, 'plain');

  it('finds all six amounts that are sent', () => {
    expect(amounts).toHaveLength(6);
  });

  it.each(amounts)('takes every amount of two decimals as %s', (path) => {
    const validate = plain.getSchema(`plain#${path}`);
    for (const amount of [0.01, 0.07, 4.35, 19.99, 115, 1.1, 8.2, 9_999_999_999_999.99]) {
      expect([amount, validate?.(amount)]).toEqual([amount, true]);
    }
  });

  it.each(amounts)('is stricter here, where a third decimal is refused as %s', (path) => {
    const schema = path.split('/').slice(0, 4).join('/');
    const field = path.split('/properties/').slice(1);
    const start = `/${field.join('/')} `;
    const bodyWith = (amount: number): unknown =>
      field.reduceRight<unknown>((inner, key) => ({ [key]: inner }), amount);
    const faults = (amount: number): readonly string[] =>
      contract.faultsAt(schema, bodyWith(amount)).filter((fault) => fault.startsWith(start));
    expect(faults(19.99)).toEqual([]);
    for (const amount of [0.011, 19.999, 115.000_1, 1e21]) expect(faults(amount)).toHaveLength(1);
  });

  it('takes no field for required that may be absent', () => {
    // A generated client has a field with a default as one that is always there.
    const fields = schemas.filter(([path]) => path.startsWith('/components/schemas/'));
    expect(fields.filter((field) => field[1].default !== undefined)).toEqual([]);
  });

  it('knows what each list holds', () => {
    const lists = schemas.filter(([, { type }]) => [type].flat().includes('array'));
    const unknown = lists.filter(([, { items }]) => items === undefined);
    expect(lists.length).toBeGreaterThan(5);
    expect(unknown.map(([path]) => path)).toEqual([]);
  });
});

const contents = schemasBelow(contract.document, '').filter(([path]) =>
  path.endsWith('/content/application~1json'),
);

it.each(contents)('a tool playing the gateway finds a sound example of %s', (path, { example }) => {
  expect(example).toBeDefined();
  expect(contract.faultsAt(`${path}/schema`, example)).toEqual([]);
});

/** The vectors of every operation, in one form. */
const vectors = [{ ...statusVectors, operation: 'retrieveStatus' }, ...operationVectors].map(
  ({ operation, requests, answers }) => ({ operation, requests, answers }),
);

it('every operation has its vectors', () => {
  expect(vectors.map(({ operation }) => operation).toSorted()).toEqual(names.toSorted());
});

describe.each(vectors)('the vectors of $operation', ({ operation, requests, answers }) => {
  const { credential, method, path: usual } = contract.placeOf(operation);
  const key = credential === 'portal' ? { authorization: 'Bearer token' } : { 'x-api-key': 'key' };

  it.each<{ path?: string } & (typeof requests)[number]>(requests)(
    'hold the request: $name',
    ({ conforms, path = usual, query, body }) => {
      const faults = contract.requestFaults(operation, {
        method: method.toUpperCase(),
        path,
        query: new URLSearchParams(query),
        headers: { ...key, 'content-type': 'application/json' },
        body,
      });
      expect(faults.length === 0, faults.join()).toBe(conforms);
    },
  );

  it.each<(typeof answers)[number]>(answers)(
    'hold the answer: $name',
    ({ conforms, status, body }) => {
      const faults = contract.answerFaults(operation, status, body);
      expect(faults.length === 0, faults.join()).toBe(conforms);
    },
  );
});

describe('the vectors', () => {
  it.each(operationVectors)(
    'of $operation name its section, a success, a refusal of the credential and an answer of no use',
    ({ operation, section, method, answers }) => {
      const place = contract.placeOf(operation);
      expect([section, method]).toEqual([`§${place.section}`, place.method.toUpperCase()]);
      expect(answers.some((answer) => 'returns' in answer)).toBe(true);
      expect(answers.some(({ code }) => code === 'unauthorized')).toBe(true);
      expect(answers.some(({ outcome }) => outcome === 'unknown')).toBe(true);
    },
  );

  it.each(phoneVectors.phones)('phone $given is sent as the contract allows', ({ given, sent }) => {
    const body = { ...bodyOf('createPaymentLink'), customerPhone: sent ?? given };
    const faults = contract.bodyFaults('createPaymentLink', body);
    expect(faults.length === 0).toBe(sent !== null);
  });

  it('say for every answer that is money what the order becomes, and never paid where the contract is broken', () => {
    const verdicts = new Set(statusVectors.answers.map(({ verdict }) => verdict));
    expect([...verdicts].toSorted()).toEqual(['failed', 'nothing', 'paid', 'review']);
    const wrong = statusVectors.answers.filter(({ conforms }) => !conforms);
    expect(wrong.filter(({ verdict }) => verdict === 'paid')).toEqual([]);
  });
});
