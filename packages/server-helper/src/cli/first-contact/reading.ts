/**
 * The steps in their order, and how to see what a step did not. The file of a step in `steps/` judges
 * the readings that name it.
 */
export const waysToSee = {
  errors: 'take the step errors',
  portal: 'take the step portal, with GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD',
  webhooks: 'take the step webhooks, with --portal-writes',
  link: 'take the step link',
  pay: 'take the steps link and pay',
  status: 'pay the link and ask its status (steps link, pay and status)',
  notifications: 'take the step notifications, with --portal-writes and --listen PORT',
  refund: 'take the step refund, with --refund',
  phones: 'take the steps link and phones',
  trial: 'pay the link and take the steps status and trial',
} as const;

export type StepName = keyof typeof waysToSee;

/** One row of the table: a point that the specification leaves open, or something that it states. */
export interface Reading {
  readonly item: string;
  /** This kit's reading, in short. */
  readonly ours: string;
  /** The places in a gateway profile that express another reading; else why none does. */
  readonly entries: readonly string[] | string;
  /** The step that sees it; `null` where none does. */
  readonly step: StepName | null;
  /** How to see it. @defaultValue the step's way */
  readonly toSee?: string;
  /** A part that no step sees, and how to see it. */
  readonly never?: string;
}

/** How to see a reading that was not seen. */
export const wayToSee = ({ step, toSee }: Reading): string =>
  toSee ?? (step === null ? '' : waysToSee[step]);
