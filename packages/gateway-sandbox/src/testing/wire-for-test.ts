/** What came back of a call, as it was on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export async function send(url: string, init: RequestInit = {}): Promise<WireAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, body: parsed(text), text, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What an answer says, to hold against a refusal. */
export const told = ({ status, body }: WireAnswer) => ({ status, body });

/** A refusal in envelope A. */
export const refusalA = (status: number, message: string) => ({
  status,
  body: { code: status, message, errorCode: String(status), data: null },
});

const errors = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
} as const;

/** A refusal in envelope B, whose message is a list where fields are wrong. */
export const refusalB = (status: keyof typeof errors, message: unknown) => ({
  status,
  body: { statusCode: status, message, error: errors[status] },
});

/** How the control API refuses a call, or a start is refused: the status and the code. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no refusal',
    ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
  );
