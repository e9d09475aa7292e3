import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ContractDocument, missingTiers, readContractText } from './contract-document.ts';
import { linkVectors, phoneVectors, statusVectors } from './vectors.ts';

const text = readContractText();
const contract = new ContractDocument();
/** Quicker to change and to read again than the YAML. */
const json = JSON.stringify(contract.document);

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
    ['an operation’s other name', ',"x-tier":"assumed","x-source":"N11"', '', 'x-also'],
    ['a parameter', '"x-source":"X1","schema"', '"schema"', 'parameters/1'],
    ['a tier that does not exist', '"contradiction"', '"guess"', 'status/get'],
    ['a source of another tier', '"x-source":"N20"', '"x-source":"§4.1"', 'customerPhone'],
  ])('is caught when %s does not say it rightly', (_what, piece, replacement, place) => {
    const missing = missingTiers(JSON.parse(broken(json, piece, replacement)));
    expect(missing).toEqual([expect.stringContaining(place)]);
  });

  it('is caught when an answer does not say it', () => {
    const piece = '"x-tier":"assumed","x-source":"N21","content"';
    expect(missingTiers(JSON.parse(broken(json, piece, '"content"')))).toEqual([
      'components/responses/UnknownId',
    ]);
  });

  it('names for each contradiction it takes a side in the readings it did not take', () => {
    const document = contract.document as unknown as {
      'x-contradictions': Record<string, { where: string; ours: string; alternatives: string[] }>;
    };
    const used = new Set(text.match(/(?<=x-source: )X\d+/g));
    expect(Object.keys(document['x-contradictions'])).toEqual([...used].toSorted());
    for (const { where, ours, alternatives } of Object.values(document['x-contradictions'])) {
      expect(where).toMatch(/^§/);
      expect(ours).not.toBe('');
      expect(alternatives.length).toBeGreaterThan(0);
    }
  });

  it('keeps the gateway’s spelling of the create path and not the corrected one', () => {
    const paths = Object.keys(contract.document.paths);
    expect(paths.filter((path) => /int?i?tiate/.test(path))).toEqual(['/payment/checkout/intiate']);
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
    const name = path.split('/')[3] ?? '';
    const field = path.split('/properties/').slice(1);
    const faults = (amount: number): readonly string[] =>
      contract
        .schemaFaults(
          name,
          field.reduceRight<unknown>((inner, key) => ({ [key]: inner }), amount),
        )
        .filter((fault) => fault.startsWith(`/${field.join('/')} `));
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

describe('a tool that plays the gateway from the document alone', () => {
  const contents = schemasBelow(contract.document, '').filter(([path]) =>
    path.endsWith('/content/application~1json'),
  );

  it.each(contents)('finds a sound example of %s', (path, { example }) => {
    expect(example).toBeDefined();
    expect(contract.faultsAt(`${path}/schema`, example)).toEqual([]);
  });
});

describe('the vectors', () => {
  it.each(linkVectors.requests)('create request: $name', ({ conforms, body }) => {
    expect(contract.bodyFaults('createPaymentLink', body).length === 0).toBe(conforms);
  });

  it.each(statusVectors.requests)('status request: $name', ({ conforms, query }) => {
    const faults = contract.requestFaults('retrieveStatus', {
      method: 'GET',
      path: '/payment/checkout/status',
      query: new URLSearchParams(query),
      headers: { 'x-api-key': 'key' },
      body: undefined,
    });
    expect(faults.length === 0).toBe(conforms);
  });

  it.each([
    ...linkVectors.answers.map((vector) => ({ ...vector, of: 'createPaymentLink' })),
    ...statusVectors.answers.map((vector) => ({ ...vector, of: 'retrieveStatus' })),
  ])('$of answer: $name', ({ of, conforms, status, body }) => {
    expect(contract.answerFaults(of, status, body).length === 0).toBe(conforms);
  });

  it.each(phoneVectors.phones)('phone $given is sent as the contract allows', ({ given, sent }) => {
    const [example] = linkVectors.requests;
    const body = { ...(example?.body as object), customerPhone: sent ?? given };
    const faults = contract.bodyFaults('createPaymentLink', body);
    expect(faults.length === 0).toBe(sent !== null);
  });

  it('say for every answer that is money what the order becomes, and never paid where the contract is broken', () => {
    for (const { conforms, verdict } of statusVectors.answers) {
      expect(conforms || verdict !== 'paid').toBe(true);
    }
    const verdicts = new Set(statusVectors.answers.map(({ verdict }) => verdict));
    expect([...verdicts].toSorted()).toEqual(['failed', 'nothing', 'paid', 'review']);
  });
});
