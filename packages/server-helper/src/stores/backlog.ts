/** Counting stops here: nothing that asks how much waits needs more, and a question stays cheap. */
export const MAX_COUNTED = 1_000;

/** How much waits in the store. Counts stop at {@link MAX_COUNTED}. */
export interface Backlog {
  /** Attempts whose next status check is due. */
  readonly dueAttempts: number;
  /** Events of the asked types that no handler has taken yet. */
  readonly undelivered: number;
  /** Review items that are open. */
  readonly openReviews: number;
  /** Events whose handler kept failing. */
  readonly deadLetters: number;
  /** Answers that may be money, could not be understood, and wait for a person. */
  readonly unreadableAnswers: number;
  /** When the status check that waits longest was due, in milliseconds since the epoch. */
  readonly oldestDueAt: number | null;
  /** Since when the outcome of a money operation is unknown, of the one that is so for longest. */
  readonly oldestUnknownAt: number | null;
}
