import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { operationVectors, saleHashVectors, signatureVectors } from './vectors.ts';

const contract = new ContractDocument();

/** The names of the specification's operations (§1); create-payment-link stands there twice. */
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

const credentialOf = (operation: string): Record<string, string> =>
  contract.placeOf(operation).credential === 'portal'
    ? { authorization: 'Bearer token' }
    : { 'x-api-key': 'key' };

describe('the contract', () => {
  it('describes every operation of the specification, in its section', () => {
    const sections = names.map((name) => contract.placeOf(name).section);
    const expected = Array.from({ length: 17 }, (_, index) => `4.${index + 1}`);
    expect(sections).toEqual(expected);
  });

  it('names all seven contradictions with the readings that it did not take', () => {
    const { 'x-contradictions': found } = contract.document as unknown as {
      'x-contradictions': Record<string, unknown>;
    };
    expect(Object.keys(found)).toEqual(['X1', 'X2', 'X3', 'X4', 'X5', 'X6', 'X7']);
  });

  it('holds a request of the wrong credential, or of both, to be faulty', () => {
    const place = contract.placeOf('listWebhooks');
    const request = {
      method: 'GET',
      path: place.path,
      query: new URLSearchParams(),
      body: undefined,
    };
    const faults = (headers: Record<string, string>) =>
      contract.requestFaults('listWebhooks', { ...request, headers });
    const key = { 'x-api-key': 'key' };
    const bearer = { authorization: 'Bearer token' };
    expect(faults(bearer)).toEqual([]);
    expect(faults(key)).toHaveLength(1);
    expect(faults({ ...key, ...bearer })).toHaveLength(1);
  });
});

it('every operation but two has its vectors in a file of its own', () => {
  const covered = operationVectors.map(({ operation }) => operation).toSorted();
  expect(covered).toEqual(names.slice(2).toSorted());
});

describe.each(operationVectors)('the vectors of $operation', (vectors) => {
  const { operation, section, method, requests, answers } = vectors;

  it('name the section that the contract names', () => {
    expect(`§${contract.placeOf(operation).section}`).toBe(section);
  });

  it.each(requests)('hold the request: $name', ({ conforms, path, query, body }) => {
    const headers = { ...credentialOf(operation), 'content-type': 'application/json' };
    const request = { method, path, query: new URLSearchParams(query), headers, body };
    const faults = contract.requestFaults(operation, request);
    expect(faults.length === 0, faults.join()).toBe(conforms);
  });

  it.each(answers)('hold the answer: $name', ({ conforms, status, body }) => {
    const faults = contract.answerFaults(operation, status, body);
    expect(faults.length === 0, faults.join()).toBe(conforms);
  });

  it('have a success, a refusal of the credential and an answer of no use', () => {
    expect(answers.some((answer) => 'returns' in answer)).toBe(true);
    expect(answers.some(({ code }) => code === 'unauthorized')).toBe(true);
    expect(answers.some(({ outcome }) => outcome === 'unknown')).toBe(true);
  });
});

it.each(saleHashVectors.hashes)('the sale’s hash for $email and $cardNumber', (vector) => {
  const digits = vector.cardNumber.replaceAll(' ', '');
  const reversed = (text: string): string => text.split('').toReversed().join('');
  const card = digits.slice(0, 6) + digits.slice(-4);
  const text = (reversed(vector.email) + vector.password + reversed(card)).toUpperCase();
  expect(createHash('md5').update(text).digest('hex')).toBe(vector.hash);
});

it.each(signatureVectors.signatures)('the webhook signature of $name', (vector) => {
  const made = createHmac('sha256', vector.secret).update(vector.body, 'utf8').digest('hex');
  expect(made).toBe(vector.signature);
});
