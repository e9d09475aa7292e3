/** One answer of a scripted address. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; anything else as JSON. */
  readonly body?: unknown;
  readonly delayMs?: number;
  /** `reset` closes without an answer, `cut-body` in the middle of one, `hang` never answers. */
  readonly fault?: 'hang' | 'reset' | 'cut-body';
}

/** A request to a scripted address. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Scripts a new address: its answers in turn, the last one again and again. */
export async function script(...answers: readonly Answer[]) {
  // Pages of tests run side by side: numbers and times of their own would meet.
  const url = `/__backend/${crypto.randomUUID()}`;
  await fetch(url, { method: 'PUT', body: JSON.stringify(answers) });
  return {
    url,
    /** The requests so far. */
    requests: async () => (await (await fetch(`${url}?log`)).json()) as SeenRequest[],
  };
}

/** A shop's answer with a payment link. */
const redirectUrl = 'https://pay.example/checkout?sessionId=1';
export const link: Answer = { status: 201, body: { redirectUrl } };

/** The status of a payment. */
export const status = (state: string): Answer => ({
  body: { orderId: 'o-1', state, amount: '115.00', currency: 'SAR', updatedAt: '2026-01-01' },
});

/** A problem document. */
export function problem(httpStatus: number, code: string): Answer {
  return {
    status: httpStatus,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'about:blank', title: 'No', status: httpStatus, code },
  };
}
