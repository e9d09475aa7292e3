/**
 * Puts a measurement's figures into a document, between the two marks that bear its name:
 * `<!-- client: begin -->` and `<!-- client: end -->`.
 *
 * @throws when the document has no such marks, or has them more than once.
 */
export function withResults(document: string, name: string, figures: string): string {
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const [before = '', inside, ...more] = document.split(begin);
  const [, after, ...moreEnds] = inside?.split(end) ?? [];
  if (after === undefined || more.length > 0 || moreEnds.length > 0) {
    throw new Error(`The document must have the marks ${begin} and ${end} once.`);
  }
  return `${before}${begin}\n\n${figures.trim()}\n\n${end}${after}`;
}
