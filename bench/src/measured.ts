/** What a measurement ends with. */
export interface Measured {
  /** The figures, with the machine and the versions that they hold for. */
  readonly markdown: string;
  /** False when a budget was missed by more than the noise. */
  readonly isWithinBudget: boolean;
}
