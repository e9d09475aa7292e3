import type { PortalSettings } from '../../gateway/settings.ts';
import type { GatewayClient } from '../../gateway/gateway-client.ts';
import type { GatewayProfile, Profile } from '../../gateway/profile.ts';
import type { Conversation } from '../conversation.ts';
import type { Findings } from './findings.ts';
import type { Answer, GatewayLine } from './gateway-line.ts';
import type { NotificationListener } from './notification-listener.ts';
import type { StepName } from './reading.ts';

/** What the steps share: the gateway, the findings, and the facts that one step learns for the next. */
export interface Visit {
  readonly line: GatewayLine;
  readonly findings: Findings;
  readonly conversation: Conversation;
  readonly profile: Profile;
  readonly portal: PortalSettings | null;
  /** Why no shopper is sent to this page; `undefined` where shoppers are. */
  readonly refusalOfPage: (page: string) => string | undefined;
  /** This kit’s own client under a profile. */
  readonly clientUnder: (profile: GatewayProfile) => GatewayClient;
  /** Says something to the person while a step runs. */
  readonly say: (text: string) => void;
  /** How long to wait for the payment. */
  readonly waitMs: number;
  readonly mayRefund: boolean;
  readonly mayWritePortal: boolean;
  /** Where notifications arrive; `null` without `--listen`. */
  readonly listener: NotificationListener | null;
  /** What the run made at the gateway, and what became of it, by a name of it. */
  readonly made: Map<string, string>;
  /** The checkout session, and our name of its payment. */
  session: string | undefined;
  orderName: string | undefined;
  /** The hosted page. */
  page: string | undefined;
  /** A transaction's id, from a row, from the return address or from the person. */
  transaction: string | undefined;
  /** Where the browser ended. */
  returned: string | undefined;
  /** Answers about the session before its payment, by the query's name. */
  unpaid: Asked | undefined;
  /** The words of each transaction in the order in which they were seen. */
  readonly history: Map<string, string[]>;
  /** The portal's credential, after a login. */
  portalCredential: Readonly<Record<string, string>> | undefined;
  /** The webhook of the run, while there is one. */
  webhook: { readonly id: string; readonly url: string } | undefined;
}

/** The two names of the status query (X1). */
export const queryNames = ['id', 'sessionId'] as const;

export type QueryName = (typeof queryNames)[number];

/** Two answers to one question, by the name of the query. */
export type Asked = Readonly<Record<QueryName, Answer>>;

/** One step of the hour. */
export interface Step {
  readonly name: StepName;
  /** What it does, for the person who decides. */
  readonly does: string;
  /** Why it cannot be taken now; `undefined` where it can. */
  readonly missing?: (visit: Visit) => string | undefined;
  run(visit: Visit): Promise<void>;
}

/** A name that no site has: a shopper's browser ends there with an error, and no shop is called. */
export const RETURN_ADDRESS = 'https://first-contact.example/returned';
export const FAILURE_ADDRESS = `${RETURN_ADDRESS}/failed`;

/** Records what the run made at the gateway, and shows it at once. */
export function made({ made: list, findings, say }: Visit, name: string, state: string): void {
  const isNew = !list.has(name);
  list.set(name, state);
  if (isNew) say(`Made at the gateway: ${findings.cleanId(name)}.`);
}
