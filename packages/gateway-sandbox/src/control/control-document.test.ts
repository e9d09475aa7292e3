import { expect, test } from 'vitest';
import { ControlDocument } from '../testing/control-document.ts';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

test('the document is served as YAML', async () => {
  const sandbox = await startForTest();
  const { headers, text } = await send(`${sandbox.url}/_sandbox/v1/openapi.yaml`);
  expect(headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(JSON.parse(text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
});

test('an answer that departs from the document is found out', () => {
  const document = new ControlDocument();
  const answer = { status: 200, contentType: 'application/json; charset=utf-8', body: {} };
  const faults = (method: string, path: string, changes: object = {}) =>
    document.answerFaults({ method, path }, { ...answer, ...changes });
  expect(faults('GET', '/ready', { body: { ready: true } })).toEqual([]);
  expect(faults('GET', '/ready')).toHaveLength(1);
  expect(faults('GET', '/ready', { body: { ready: true, more: 1 } })).toHaveLength(1);
  expect(faults('GET', '/ready', { status: 500 })).toHaveLength(1);
  expect(faults('GET', '/ready', { contentType: 'text/html' })).toHaveLength(1);
  expect(faults('PUT', '/nowhere')).toHaveLength(1);
});
