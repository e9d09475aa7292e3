import type { Environment } from './session.ts';
import type { KeptCard } from './transaction.ts';

/** A card that a customer paid with before; the phone stands for the customer. */
export interface SavedCard {
  readonly id: string;
  readonly environment: Environment;
  readonly customerKey: string;
  readonly card: KeptCard;
}
