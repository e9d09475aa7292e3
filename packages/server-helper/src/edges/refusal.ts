import type { Answer } from './answer.ts';

/** Ends a route from within a flow, with an answer that is decided already. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the request was refused');
    this.answer = answer;
  }
}
