import type { Middleware } from 'openapi-fetch';

/** What calls through Prism were answered, and what Prism found wrong with them. */
export class Observer {
  /** Such as `GET /ready 200`. */
  readonly answered = new Set<string>();
  readonly violations = new Set<string>();

  readonly middleware: Middleware = {
    onResponse: ({ schemaPath, request, response }) =>
      this.note(`${request.method} ${schemaPath}`, response),
  };

  note(operation: string, { status, headers }: Response): void {
    const answer = `${operation} ${status}`;
    this.answered.add(answer);
    for (const { location, message } of violationsIn(headers)) {
      // A call that is refused may be wrong; the answer to it may not.
      if (status >= 400 && location[0] === 'request') continue;
      this.violations.add(`${answer}: ${location.join('.')} ${message}`);
    }
  }
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

function violationsIn(headers: Headers): readonly Violation[] {
  const text = headers.get('sl-violations') ?? '[]';
  // Prism cuts a long list and says so before it.
  if (!text.startsWith('[')) return [{ location: ['response'], message: text }];
  return JSON.parse(text) as readonly Violation[];
}

/** What a client read from an answer that has to be a success. */
export function dataOf<Data>(answer: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): Data {
  if (answer.data !== undefined) return answer.data;
  const { url, status } = answer.response;
  throw new Error(`${url}: ${status} ${JSON.stringify(answer.error)}`);
}
