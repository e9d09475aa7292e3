/** Counting stops here, so that the query stays cheap. No reader needs a larger count. */
export const MAX_COUNTED = 1_000;

/** Status checks of an attempt that begin for this long, while none ends, fail. */
export const FAILING_MS = 5 * 60_000;

/** How much waits in the store. Counts stop at {@link MAX_COUNTED}. */
export interface Backlog {
  /** Attempts whose next status check is due. */
  readonly dueAttempts: number;
  /** Events of the asked types that no handler has taken yet. */
  readonly undelivered: number;
  /** Review items that are open. */
  readonly openReviews: number;
  /** Dead letters: events whose handler failed too often. */
  readonly deadLetters: number;
  /** Answers that may be money, could not be understood, and wait for a person. */
  readonly unreadableAnswers: number;
  /** Open reviews of links, and of money, that may be paid and have no evidence. */
  readonly unprovenPayments: number;
  /** Orders whose status checks begin and do not end. */
  readonly failingOrders: number;
  /** Since when the oldest of them do so, in milliseconds since the epoch. */
  readonly oldestFailingAt: number | null;
  /** When the oldest overdue status check was due, in milliseconds since the epoch. */
  readonly oldestDueAt: number | null;
  /** When the oldest event of the asked types that is due was due, in milliseconds since the epoch. */
  readonly oldestUndeliveredAt: number | null;
  /** When the oldest `unknown` operation became unknown, in milliseconds since the epoch. */
  readonly oldestUnknownAt: number | null;
}
