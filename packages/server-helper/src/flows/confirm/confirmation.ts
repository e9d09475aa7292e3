import type { PaymentRecord } from '../../payments/payment-record.ts';

/** What a confirmation found. */
export interface Confirmation {
  readonly record: PaymentRecord | null;
  /** Which attempt the gateway was asked about, and whether it answered in full. */
  readonly asked: { readonly attemptNumber: number; readonly hasAnswer: boolean } | null;
}
