/** The names of the steps. The file of a step in `steps/` judges the readings that name it. */
export const stepNames = [
  'errors',
  'portal',
  'webhooks',
  'link',
  'pay',
  'status',
  'notifications',
  'refund',
  'phones',
  'trial',
] as const;

export type StepName = (typeof stepNames)[number];

/** One row of the table: a point that the specification leaves open, or something that it states. */
export interface Reading {
  readonly item: string;
  /** This kit's reading, in short. */
  readonly ours: string;
  /** The places in a gateway profile that express another reading; else why none does. */
  readonly entries: readonly string[] | string;
  /** The step that sees it; `null` where none does. */
  readonly step: StepName | null;
  /** How to see it, where the step did not. */
  readonly toSee: string;
  /** A part that no step sees, and how to see it. */
  readonly never?: string;
}
