import { readFileSync, readdirSync } from 'node:fs';

/** A request, and whether the contract allows it. */
export interface RequestVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** An answer, and whether the contract allows it. */
export interface AnswerVector {
  readonly name: string;
  readonly conforms: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** An answer to create-payment-link, and what it means: `created`, `rejected` or `unknown`. */
export interface LinkAnswerVector extends AnswerVector {
  readonly outcome: 'created' | 'rejected' | 'unknown';
}

/** An answer to retrieve-status, and what it means for the order of {@link StatusVectors.asked}. */
export interface StatusAnswerVector extends AnswerVector {
  readonly verdict: 'paid' | 'review' | 'failed' | 'nothing';
  readonly also?: 'duplicate_charge';
}

/** `vectors/create-payment-link.json`. */
export interface LinkVectors {
  readonly operation: string;
  readonly requests: readonly RequestVector[];
  readonly answers: readonly LinkAnswerVector[];
}

/** `vectors/retrieve-status.json`. */
export interface StatusVectors {
  readonly operation: string;
  readonly asked: {
    readonly orderId: string;
    readonly merchantOrderId: string;
    readonly sessionId: string;
    readonly amount: string;
    readonly currency: 'SAR';
  };
  readonly requests: readonly RequestVector[];
  readonly answers: readonly StatusAnswerVector[];
}

/** `vectors/phone-numbers.json`: `sent` is null where the number is refused. */
export interface PhoneVectors {
  readonly phones: readonly { readonly given: string; readonly sent: string | null }[];
}

const folder = new URL('./vectors/', import.meta.url);

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

export const linkVectors = read('create-payment-link') as LinkVectors;
export const statusVectors = read('retrieve-status') as StatusVectors;
export const phoneVectors = read('phone-numbers') as PhoneVectors;

/** The names of all vector files. */
export const vectorFiles: readonly string[] = readdirSync(folder).toSorted();
