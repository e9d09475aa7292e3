import { readFileSync, readdirSync } from 'node:fs';

/** A request, and whether the contract allows it. */
interface RequestVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** An answer, and whether the contract allows it. */
interface AnswerVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** `vectors/retrieve-status.json`; `verdict` is what an answer means for the order that was asked about. */
interface StatusVectors {
  readonly asked: {
    readonly orderId: string;
    readonly merchantOrderId: string;
    readonly sessionId: string;
    readonly amount: string;
    readonly currency: 'SAR';
  };
  readonly requests: readonly RequestVector[];
  readonly answers: readonly (AnswerVector & {
    readonly verdict: 'paid' | 'review' | 'failed' | 'nothing';
    readonly also?: 'duplicate_charge';
  })[];
}

/** `vectors/phone-numbers.json`: `sent` is null where the number is refused. */
interface PhoneVectors {
  readonly phones: readonly { readonly given: string; readonly sent: string | null }[];
}

/** A file of `vectors/` that is about one other operation. */
interface OperationVectors {
  readonly operation: string;
  readonly section: string;
  readonly method: string;
  /** `input` is what the client is given for a request that it can send; null for none. */
  readonly requests: readonly (RequestVector & {
    readonly path: string;
    readonly input?: Readonly<Record<string, unknown>> | null;
  })[];
  /** What the client makes of an answer: a value, or an error of this code and outcome. */
  readonly answers: readonly (AnswerVector & {
    readonly returns?: unknown;
    readonly code?: string;
    readonly outcome?: string;
  })[];
}

/** `vectors/sale-hash.json` (N8). */
interface SaleHashVectors {
  readonly hashes: readonly Record<'email' | 'password' | 'cardNumber' | 'hash', string>[];
}

/** `vectors/webhook-signatures.json` (N14). */
interface SignatureVectors {
  readonly signatures: readonly Record<'name' | 'secret' | 'body' | 'signature', string>[];
}

const folder = new URL('./vectors/', import.meta.url);

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

export const statusVectors = read('retrieve-status.json') as StatusVectors;
export const phoneVectors = read('phone-numbers.json') as PhoneVectors;
export const saleHashVectors = read('sale-hash.json') as SaleHashVectors;
export const signatureVectors = read('webhook-signatures.json') as SignatureVectors;

/** Files with a shape of their own. */
const others = /^(?:phone-numbers|retrieve-status|sale-hash|webhook-signatures)\./;

/** The vectors of every operation but retrieve-status. */
export const operationVectors = readdirSync(folder)
  .toSorted()
  .filter((file) => !others.test(file))
  .map((file) => read(file) as OperationVectors);

/** A body that the contract allows. */
export const bodyOf = (operation: string) =>
  operationVectors.find((one) => one.operation === operation)?.requests[0]?.body as Readonly<
    Record<string, unknown>
  >;
