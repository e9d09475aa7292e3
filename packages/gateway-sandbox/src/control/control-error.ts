/** The control API refused a call; `code` is the problem document's. */
export class ControlError extends Error {
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
  }

  static fromProblem(status: number, problem: unknown): ControlError {
    const text = (name: string, otherwise: string): string => {
      const value: unknown =
        typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : null;
      return typeof value === 'string' ? value : otherwise;
    };
    return new ControlError(
      status,
      text('code', 'unreadable_answer'),
      text('detail', `The sandbox answered HTTP ${status}.`),
    );
  }
}
