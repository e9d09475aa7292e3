import type { PortalSettings } from '../../gateway/client-settings.ts';
import type { Profile } from '../../gateway/profile.ts';
import type { Conversation } from './conversation.ts';
import type { Findings } from './findings.ts';
import type { Answer, GatewayLine } from './gateway-line.ts';

/** What the steps share: the gateway, what was seen so far, and what one step learns for the next. */
export interface Visit {
  readonly line: GatewayLine;
  readonly findings: Findings;
  readonly conversation: Conversation;
  readonly profile: Profile;
  readonly apiKey: string;
  readonly portal: PortalSettings | null;
  /** Why no shopper is sent to this page; `undefined` where they are. */
  readonly refusalOfPage: (page: string) => string | undefined;
  /** Says something to the person while a step runs. */
  readonly say: (text: string) => void;
  /** How long to wait for the payment. */
  readonly waitMs: number;
  readonly mayRefund: boolean;
  readonly mayWritePortal: boolean;
  /** The checkout session, and the name by which the gateway was told of the payment. */
  session: string | undefined;
  orderName: string | undefined;
  /** The hosted page. */
  page: string | undefined;
  /** A transaction's id, from a row, from the return address or from the person. */
  transaction: string | undefined;
  /** Where the browser ended. */
  returned: string | undefined;
  /** Answers about the session before it was paid, by the query's name. */
  unpaid: Readonly<Record<QueryName, Answer>> | undefined;
  /** The words of each transaction in the order in which they were seen. */
  readonly history: Map<string, string[]>;
}

/** The two names of the status query (X1). */
export type QueryName = 'id' | 'sessionId';

export const queryNames = ['id', 'sessionId'] as const;

/** One step of the hour. */
export interface Step {
  readonly name: string;
  /** What it does, for the person who decides. */
  readonly does: string;
  /** Why it cannot be taken now; `undefined` where it can. */
  readonly missing?: (visit: Visit) => string | undefined;
  run(visit: Visit): Promise<void>;
}

/** A name that no site has: a shopper's browser ends there with an error, and nobody is told. */
export const RETURN_ADDRESS = 'https://first-contact.example/returned';
