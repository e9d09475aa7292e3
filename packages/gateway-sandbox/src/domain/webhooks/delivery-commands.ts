import type { AttemptOutcome, DeliveryStrike } from './delivery.ts';

interface UnknownDelivery {
  kind: 'unknown-delivery';
}

/** What one attempt came to. */
export interface AttemptResult {
  url: string;
  outcome: AttemptOutcome;
  status: number | null;
}

/** The commands of the outbox. None draws chance, so when they happen decides no later id. */
export interface DeliveryCommands {
  /** What faults do to a delivery that fell due; `goes`: it is still to be sent now. */
  'strike-delivery': {
    given: { deliveryId: string; strike: DeliveryStrike };
    reply: { kind: 'struck'; goes: boolean } | UnknownDelivery;
  };
  /** What came of sending a delivery that fell due; the copies of one attempt come together. */
  'record-attempt': {
    given: { deliveryId: string; results: readonly AttemptResult[] };
    reply: { kind: 'recorded' } | UnknownDelivery;
  };
  'record-replay': {
    given: { deliveryId: string; result: AttemptResult };
    reply: { kind: 'recorded' } | UnknownDelivery;
  };
  'hold-deliveries': { given: { holds: boolean }; reply: { holds: boolean } };
  /** Lets a held delivery go now. */
  'release-delivery': {
    given: { deliveryId: string };
    reply: { kind: 'released' } | { kind: 'not-held' } | UnknownDelivery;
  };
}
