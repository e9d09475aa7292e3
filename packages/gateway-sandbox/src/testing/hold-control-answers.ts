import { afterAll, afterEach, expect } from 'vitest';

const prefix = '/_sandbox/v1';
const seen: { method: string; path: string; answer: Response }[] = [];

const send = globalThis.fetch;

/** Every answer of the control API that a test gets is stored for the check after it. */
globalThis.fetch = async (input, init) => {
  const answer = await send(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (pathname.startsWith(prefix) && pathname !== `${prefix}/stream`) {
    const method = init?.method ?? 'GET';
    seen.push({ method, path: pathname.slice(prefix.length), answer: answer.clone() });
  }
  return answer;
};

afterAll(() => void (globalThis.fetch = send));

afterEach(async () => {
  const answers = seen.splice(0);
  if (answers.length === 0) return;
  // What most test files never need is loaded by those that do.
  const { ControlDocument } = await import('./control-document.ts');
  const document = new ControlDocument();
  const faults: string[] = [];
  for (const { method, path, answer } of answers) {
    const { status } = answer;
    const contentType = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    const body: unknown = contentType.includes('json') ? JSON.parse(text) : text;
    faults.push(...document.answerFaults({ method, path }, { status, contentType, body }));
  }
  expect(faults, 'answers of the control API that its document does not describe').toEqual([]);
});
