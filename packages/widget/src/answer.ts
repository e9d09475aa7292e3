/** The answer of an address that ought to be JSON. */
export interface Answer {
  /** The answer's own fields; none when the answer is not a JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The kind of content in place of JSON, in words for the console; never the text itself. */
  readonly instead: string;
}

/**
 * Reads an answer to its end.
 *
 * `fields` has no prototype: a script of the page can give a field to every object, and such a
 * field does not come from the shop's server.
 *
 * @throws TypeError when the connection is cut
 */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let content: unknown;
  let instead = '';
  try {
    content = JSON.parse(text);
  } catch {
    instead = /^\s*</.test(text) ? 'with HTML' : 'without JSON';
  }
  return { fields: { __proto__: null, ...(content as object) }, instead };
}
