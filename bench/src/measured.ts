/** What a measurement ends with. */
export interface Measured {
  /** The figures, with the machine and the versions that they hold for. */
  readonly markdown: string;
  /** Which marks they are kept between, where only a part was measured. @defaultValue the bench's name */
  readonly marks?: string;
  /** False when a budget was missed by more than the noise. */
  readonly isWithinBudget: boolean;
}
